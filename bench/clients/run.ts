/**
 * Connects third-party MCP clients over stdio and HTTP, and prints which features work: all clients, or those named in arguments.
 * Ends with 1 when a feature does not work.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, startHttp } from '../../test/support/assay.ts';
import { printTable } from '../table.ts';
import { type ConnectedClient, clients, PYTHON_SDK, type ServerAddress } from './clients.ts';
import { installClients } from './packages.ts';
import { hasPythonSdk } from './python-sdk.ts';

const FEATURES = ['list', 'call', 'resource', 'prompt', 'completion', 'progress', 'cancellation'];

installClients();
const folder = mkdtempSync(join(tmpdir(), 'assay-clients-'));
const record = `SF:a.ts\n${Array.from({ length: 5000 }, (_, line) => `DA:${line + 1},1\n`).join('')}end_of_record\n`;
writeFileSync(join(folder, 'lcov.info'), 'SF:a.ts\nDA:1,1\nDA:2,0\nend_of_record\n');
writeFileSync(join(folder, 'large.info'), record.repeat(2500));
const home = { ASSAY_HOME: join(folder, 'home') };
const env = { ...home, PATH: process.env['PATH'] ?? '' };
const stdio = { command: process.execPath, args: [bin, 'serve'], cwd: folder, env };
const rows: string[][] = [];
const problems: string[] = [];
try {
  await using server = await startHttp({ args: ['--toolsets', 'all', '--folders', '.'], cwd: folder, env: home });
  const http = { url: server.url, headers: { authorization: `Bearer ${server.token}` } };
  const addresses: [string, ServerAddress][] = [
    ['stdio', { folder, stdio }],
    ['HTTP', { folder, stdio, http }],
  ];
  const only = process.argv.slice(2);
  for (const [name, connect] of Object.entries(clients)) {
    if (only.length > 0 && !only.includes(name)) continue;
    if (name === PYTHON_SDK && !(await hasPythonSdk())) {
      rows.push([name, 'not installed', ...FEATURES.map(() => '–')]);
      continue;
    }
    for (const [transport, address] of addresses)
      rows.push([name, transport, ...(await tryFeatures(name, transport, connect, address))]);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printTable(
  'Third-party clients',
  ['client', 'transport', ...FEATURES],
  rows,
  '"–": no function or command of the client is known for it',
);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exit(problems.length > 0 ? 1 : 0);

/** Lists the resources and reads one, a skill that the package ships. */
async function readsSkill({ resources, read }: ConnectedClient): Promise<boolean> {
  const uri = (await resources?.())?.find((one) => one.endsWith('/SKILL.md'));
  return uri !== undefined && JSON.stringify(await read?.(uri)).includes('description:');
}

async function tryFeatures(
  name: string,
  transport: string,
  connect: (server: ServerAddress) => Promise<ConnectedClient>,
  address: ServerAddress,
): Promise<string[]> {
  const report = (feature: string, error: unknown) => {
    problems.push(`${name}, ${transport}, ${feature}: ${String(error).slice(0, 500)}`);
    return 'no';
  };
  let client: ConnectedClient;
  try {
    client = await connect(address);
  } catch (error) {
    report('connect', error);
    return FEATURES.map(() => 'no');
  }
  const attempts: [string, (() => Promise<boolean>) | undefined][] = [
    ['list', async () => (await client.list()) > 80],
    ['call', async () => JSON.stringify(await client.call('lcov.info')).includes('50')],
    ['resource', client.resources && (() => readsSkill(client))],
    ['prompt', client.prompt && (async () => JSON.stringify(await client.prompt?.()).includes('coverage'))],
    ['completion', client.complete && (async () => (await client.complete?.())?.includes('lcov.info') ?? false)],
    ['progress', client.progress && (async () => ((await client.progress?.('large.info')) ?? 0) > 1)],
    ['cancellation', client.cancel && (() => client.cancel?.('large.info').then(() => true) ?? Promise.resolve(false))],
  ];
  const cells: string[] = [];
  for (const [feature, attempt] of attempts) {
    if (!attempt) cells.push('–');
    else
      cells.push(
        await attempt().then(
          (works) => (works ? 'yes' : report(feature, 'wrong result')),
          (error) => report(feature, error),
        ),
      );
  }
  await client.close().catch((error: unknown) => report('close', error));
  return cells;
}
