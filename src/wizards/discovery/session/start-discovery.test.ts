import { expect, test } from 'vitest';
import { newFolder } from '../../../../test/support/folders.ts';
import { Failure } from '../../../platform/errors.ts';
import { openWizardFolder } from '../../files/wizard-folder.ts';
import { createSessionRegistry } from './session-registry.ts';
import { type DiscoveryContext, startDiscovery } from './start-discovery.ts';

test('starts no more discoveries than the limit and frees the slot of a failed one', async () => {
  await using folder = await newFolder();
  const browser = Promise.withResolvers<never>();
  let asked = 0;
  const services: DiscoveryContext = {
    browsers: () => {
      asked++;
      return browser.promise;
    },
    sessions: createSessionRegistry({ most: 2 }),
    owner: 'me',
    wizards: openWizardFolder(folder.path),
    allowedAddresses: undefined,
    checkAddress: async () => {},
    checkPath: async () => {},
    signal: new AbortController().signal,
    attachScreenshot: () => '',
  };
  const start = () => startDiscovery(services, 'http://127.0.0.1/').catch((error: Failure) => error.code);
  const started = [start(), start(), start()];
  expect(await started[2]).toBe('too_many_sessions');
  expect(asked).toBe(2);
  browser.reject(new Failure('unavailable', 'BROWSER_MISSING', 'There is no browser.'));
  expect(await Promise.all(started.slice(0, 2))).toEqual(['BROWSER_MISSING', 'BROWSER_MISSING']);
  expect(await start()).toBe('BROWSER_MISSING');
});
