/** The official conformance suite against our own server, with the fixtures that it expects; both protocol eras. */
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
  say(`${revision}: ${code === 0 ? 'every required scenario passes' : 'FAILED'} (${passed} scenarios in all)`);
  if (code === 0 && unscored.length > 0) say(`  not required, and not offered: ${unscored.join(', ')}`);
  failed ||= code !== 0;
}
await server.close();
process.exit(failed ? 1 : 0);
