import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure, systemCode, systemReason } from '../../platform/errors.ts';
import type { SettingValues } from '../../platform/settings.ts';
import { loadSigner, loadSignerFile, loadTrustedKey, type PublicKey, type Signer } from '../provenance/signing.ts';

/** The keys of this machine and its configuration. */
export interface EvidenceKeys {
  /** Signs records of test runs: `ASSAY_SIGNING_KEY`, else a key in the data folder, which is made on first use. */
  signer(): Promise<Signer>;
  /** Whose signatures count, with what they prove. */
  trusted(): Promise<ReadonlyMap<PublicKey, 'local' | 'remote'>>;
}

export function createEvidenceKeys(home: string, setting: SettingValues['get']): EvidenceKeys {
  const file = join(home, 'keys', 'evidence.pem');
  const signer = async () => (await loadSigner(setting)) ?? (await loadMachineKey(file));
  return {
    signer,
    async trusted() {
      const local = (await signer()).publicKey;
      const configured = await loadTrustedKey(setting);
      const remote: [PublicKey, 'local' | 'remote'][] =
        configured === undefined || configured === local ? [] : [[configured, 'remote']];
      return new Map([[local, 'local'], ...remote]);
    },
  };
}

async function loadMachineKey(file: string): Promise<Signer> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const { privateKey } = generateKeyPairSync('ed25519');
    // Of several processes that start at once, one creates the key.
    await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST')
      throw new Failure(
        'unavailable',
        'EACCES',
        `Cannot create the key for evidence in ${file}: ${systemReason(error)}; set ASSAY_HOME to a writable folder, or ASSAY_SIGNING_KEY to a key`,
        {},
        { cause: error },
      );
  }
  return loadSignerFile('The data folder', file);
}
