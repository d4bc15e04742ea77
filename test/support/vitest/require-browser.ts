import { launchBrowser } from '../../../src/platform/browser/browser-launch.ts';
import { Failure } from '../../../src/platform/errors.ts';
import { testHome } from '../../sites/workspace.ts';

/** Fails once, with the way to get a browser, instead of in every test. */
export async function setup(): Promise<void> {
  try {
    await (await launchBrowser({ home: testHome })).close();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Error(`The tests need a browser. ${error.message}`);
  }
}
