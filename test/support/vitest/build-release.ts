import { join } from 'node:path';

/**
 * Has the tests start the release build: it starts in a fraction of the CPU time of the sources, and the tests start it some three
 * hundred times.
 */
export async function setup(): Promise<void> {
  const script = new URL('../../../scripts/checkout.cjs', import.meta.url).href;
  const { findOrBuild }: { findOrBuild(): Promise<string> } = await import(script);
  process.env['ASSAY_TEST_BIN'] = join(await findOrBuild(), 'bin/assay.js');
}
