import { Failure } from '../platform/errors.ts';
import { addSecretKey, keepOnlyFirstKey, secretKeyFile } from '../platform/secrets/secret-keys.ts';
import { readSettings, type SettingValues, settings } from '../platform/settings.ts';
import { flushStore, openStore, type Store } from '../platform/store/store.ts';
import { resealSecrets } from '../qa/index.ts';
import { type Command, printStdout } from './command.ts';

export const secretsCommand: Command = {
  name: 'secrets',
  usage: 'rotate',
  summary: 'Seal the secrets of all QA projects with a new key. With ASSAY_SECRET_KEY=new,old the first one is it.',
  settings: [settings.secretKey, settings.home, settings.databaseUrl],
  async run([action, ...rest]) {
    if (action !== 'rotate')
      throw new Failure('configuration', 'BAD_USAGE', 'What to do with the secrets? There is: assay secrets rotate.');
    const given = readSettings(secretsCommand.settings, rest, process.env);
    await using store = await openStore({ home: given.get(settings.home), url: given.get(settings.databaseUrl) });
    await printStdout(await rotate(store, given));
    return 0;
  },
};

/** At every moment there is a key for everything that is sealed, so it can be broken off and begun anew. */
async function rotate(store: Store, given: SettingValues): Promise<string> {
  const keys = given.get(settings.secretKey);
  if (keys) {
    const number = await resealSecrets(store, keys);
    return `${count(number)} sealed anew with the first key of ${settings.secretKey.env}. The others can go now.`;
  }
  const home = given.get(settings.home);
  const number = await resealSecrets(store, await addSecretKey(home));
  // Otherwise a power loss could bring values back that only the old key opens.
  await flushStore(store);
  await keepOnlyFirstKey(home);
  return `${count(number)} sealed anew with a new key, in ${secretKeyFile(home)}. The old one is gone.`;
}

function count(number: number): string {
  return number === 1 ? '1 secret was' : `${number} secrets were`;
}
