/** Runs the official MCP conformance suite against Assay with the fixtures that it expects, for both protocol revisions. */
import { startConformanceServer } from '../test/conformance/server.ts';
import { captureStep, say } from './steps.ts';

const server = await startConformanceServer();
let failed = false;
for (const revision of ['2026-07-28', '2025-11-25']) {
  const { code, output } = await captureStep([
    'conformance',
    'server',
    '--url',
    server.url,
    '--requirements',
    revision,
  ]);
  const lines = output.split('\n');
  const unscored = lines.filter((line) => /^ {2}✗ /.test(line)).map((line) => line.trim().split(' ')[1]);
  const passed = lines.filter((line) => /^✓ /.test(line)).length;
  if (code !== 0) say(output);
  say(`${revision}: ${code === 0 ? 'every required scenario passes' : 'FAILED'} (${passed} scenarios in total)`);
  if (code === 0 && unscored.length > 0) say(`  not required and not supported: ${unscored.join(', ')}`);
  failed ||= code !== 0;
}
await server.close();
process.exit(failed ? 1 : 0);
