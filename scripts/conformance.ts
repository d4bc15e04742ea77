/** The official conformance suite against our own server, with the fixtures that it expects; both protocol eras. */
import { startConformanceServer } from '../test/conformance/server.ts';
import { runStep } from './steps.ts';

const server = await startConformanceServer();
let failed = false;
for (const revision of ['2026-07-28', '2025-11-25']) {
  const code = await runStep(['conformance', 'server', '--url', server.url, '--requirements', revision]);
  failed ||= code !== 0;
}
await server.close();
process.exit(failed ? 1 : 0);
