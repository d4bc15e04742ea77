import { acceptanceCriterion, formatJson, type ProjectTemplate, testScripts } from './template.ts';

const openapi = `openapi: 3.1.0
info:
  title: Service
  version: 0.1.0
paths:
  /health:
    get:
      operationId: getHealth
      summary: Is the service up?
      responses:
        '200':
          description: It is.
          content:
            application/json:
              schema:
                type: object
                required: [status]
                properties:
                  status:
                    type: string
                    const: ok
        '404':
          description: No such path.
`;

export const api: ProjectTemplate = {
  spec: {
    risk_tier: 1,
    blast_radius: { modules: ['http interface', 'storage'], data_migration: false },
    operational_rollback_slo: '5m',
    change_budget: { max_files: 25, max_loc: 1000 },
    scope: {
      in: [
        'src/',
        'routes/',
        'models/',
        'test/',
        'tests/',
        'docs/api.yaml',
        'package.json',
        '.gitignore',
        'codemods/',
        '.github/',
      ],
      out: ['node_modules/', 'logs/', 'tmp/'],
    },
    invariants: [
      'A client of the last release still works',
      'No request changes data unless its method says so',
      'No response reveals internals: no stack, no query, no path',
    ],
    acceptance: [
      acceptanceCriterion(
        'A1',
        'a running service',
        'a documented operation is called with a valid request',
        'the answer is the one that docs/api.yaml describes',
      ),
      acceptanceCriterion(
        'A2',
        'a running service',
        'a path is asked for that does not exist',
        'the response is 404 and reveals no internals',
      ),
    ],
    non_functional: {
      perf: { api_p95_ms: 100 },
      security: [
        'Every input is checked at the edge',
        'Every operation but /health needs a caller who is known',
        'Calls are limited by rate',
      ],
    },
    contracts: [{ type: 'openapi', path: 'docs/api.yaml', description: 'What clients may rely on' }],
    observability: {
      logs: ['error', 'warn', 'info'],
      metrics: ['requests_total', 'errors_total'],
      traces: ['request'],
    },
    rollback: ['Deploy the last release again; migrations can be read by both'],
  },
  contracts: { 'docs/api.yaml': openapi },
  starter: (name) => ({
    'package.json': formatJson({
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      scripts: { start: 'node src/main.js', ...testScripts },
    }),
    'src/main.js': `import { createService } from './service.js';

const { PORT = '3000' } = process.env;
export const server = createService().listen(Number(PORT));
`,
    'src/service.js': `import { createServer } from 'node:http';

export function createService() {
  return createServer((request, response) => {
    const known = request.method === 'GET' && request.url === '/health';
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known ? { status: 'ok' } : { error: 'not found' }));
  });
}
`,
    'test/service.test.js': `import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { createService } from '../src/service.js';

async function answerTo(path) {
  const service = createService().listen(0, '127.0.0.1');
  await once(service, 'listening');
  try {
    const response = await fetch(\`http://127.0.0.1:\${service.address().port}\${path}\`);
    return { status: response.status, body: await response.json() };
  } finally {
    service.close();
  }
}

test('A1: /health is as documented', async () => {
  assert.deepEqual(await answerTo('/health'), { status: 200, body: { status: 'ok' } });
});

test('A2: what does not exist is 404', async () => {
  assert.deepEqual(await answerTo('/secret'), { status: 404, body: { error: 'not found' } });
});

test('the program listens where PORT says', async () => {
  process.env.PORT = '0';
  const { server } = await import('../src/main.js');
  if (!server.listening) await once(server, 'listening');
  assert.notEqual(server.address().port, 3000);
  server.close();
});
`,
  }),
};
