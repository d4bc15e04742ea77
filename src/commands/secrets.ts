import { Failure } from '../platform/errors.ts';
import { addSecretKey, keepOnlyFirstKey, secretKeyFile } from '../platform/secrets/secret-keys.ts';
import { readSettings, type SettingValues, settings } from '../platform/settings.ts';
import { flushStore, openStore, type Store } from '../platform/store/store.ts';
import { qaSettings, resealSecrets } from '../qa/index.ts';
import { loadToolsetMigrations } from '../tool/toolsets.ts';
import { type Command, printStdout } from './command.ts';

export const secretsCommand: Command = {
  name: 'secrets',
  usage: 'rotate',
  summary:
    'Encrypt the secrets of all QA projects with a new key: the first of ASSAY_SECRET_KEY=new,old, or a generated one.',
  settings: [qaSettings.secretKey, settings.home, settings.databaseUrl],
  async run([action, ...rest]) {
    if (action !== 'rotate')
      throw new Failure('configuration', 'BAD_USAGE', 'Unknown action. Use "assay secrets rotate".');
    const values = readSettings(secretsCommand.settings, rest, process.env);
    await using store = await openStore({
      home: values.get(settings.home),
      url: values.get(settings.databaseUrl),
      migrations: await loadToolsetMigrations(),
    });
    await printStdout(await rotate(store, values));
    return 0;
  },
};

/** Every secret has a valid key at every moment, so a rotation can be interrupted and repeated. */
async function rotate(store: Store, values: SettingValues): Promise<string> {
  const keys = values.get(qaSettings.secretKey);
  if (keys) {
    const number = await resealSecrets(store, keys);
    return `${count(number)} encrypted with the first key of ${qaSettings.secretKey.env}. Remove the other keys now.`;
  }
  const home = values.get(settings.home);
  const number = await resealSecrets(store, await addSecretKey(home));
  // Otherwise a power loss could restore values that only the old key decrypts.
  await flushStore(store);
  await keepOnlyFirstKey(home);
  return `${count(number)} encrypted with a new key in ${secretKeyFile(home)}. The old key was removed.`;
}

function count(number: number): string {
  return number === 1 ? '1 secret was' : `${number} secrets were`;
}
