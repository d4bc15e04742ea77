/**
 * Measures requests per second and the 99th percentile over HTTP, compared with a bare SDK server in the same run. Assay verifies
 * a JWT, checks scope and rate limit, counts metrics and logs; the bare server does none of that.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startProvider } from '../../test/support/services/provider.ts';
import { installPeers, peerProgram } from '../peers.ts';
import { median, printTable } from '../table.ts';
import { startServer } from './start-server.ts';

const run = promisify(execFile);
const SECONDS = 8;
const CONNECTIONS = 16;
const ROUNDS = 3;
const audience = 'http://127.0.0.1/mcp';

installPeers();
await using provider = await startProvider(audience);
const token = await provider.token({ scope: 'echo:read' }, { expiresIn: 3600 });
const bare = await startServer('bare-server.ts');
const ours = await startServer('assay-server.ts', provider.issuer, audience);
const results: Record<'bare' | 'ours', { rate: number; p99: number }[]> = { bare: [], ours: [] };
try {
  await load(bare.url);
  await load(ours.url);
  for (let round = 0; round < ROUNDS; round++) {
    results.bare.push(await load(bare.url));
    results.ours.push(await load(ours.url));
  }
} finally {
  bare.child.kill();
  ours.child.kill();
}
const rate = (name: 'bare' | 'ours') => median(results[name].map((each) => each.rate));
const p99 = (name: 'bare' | 'ours') => median(results[name].map((each) => each.p99));
const ratio = rate('ours') / rate('bare');
printTable(
  `tools/call over HTTP (2026-07-28), ${CONNECTIONS} connections, median of ${ROUNDS} runs of ${SECONDS} s`,
  ['', 'requests/s', 'p99 ms', 'ratio'],
  [
    ['bare SDK, no auth', rate('bare').toFixed(0), p99('bare').toFixed(0), '1.00'],
    ['assay, JWT + scope + limit', rate('ours').toFixed(0), p99('ours').toFixed(0), ratio.toFixed(2)],
  ],
  `target: at least 0.7 of the bare rate — ${ratio >= 0.7 ? 'met' : 'MISSED'}`,
);

async function load(url: string): Promise<{ rate: number; p99: number }> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'say',
    authorization: `Bearer ${token}`,
  };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'say',
      arguments: { text: 'hello' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      },
    },
  });
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const { stdout } = await run(process.execPath, [
    peerProgram('autocannon'),
    '--json',
    '--method=POST',
    `--connections=${CONNECTIONS}`,
    `--duration=${SECONDS}`,
    `--body=${body}`,
    ...flags,
    url,
  ]);
  const result = JSON.parse(stdout);
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} requests were rejected and ${result.errors} failed at ${url}`);
  return { rate: result.requests.average, p99: result.latency.p99 };
}
