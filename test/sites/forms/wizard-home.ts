import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export interface WizardHome extends AsyncDisposable {
  path: string;
}

/**
 * A home folder with the wizards of all fixture sites, which use `{base_url}` (ASSAY_WIZARDS_BASE_URL). Files in the original
 * format do not support it, so their address is replaced with `oldSite`.
 */
export async function wizardHome(oldSite?: string): Promise<WizardHome> {
  const path = await mkdtemp(join(tmpdir(), 'assay-wizards-'));
  const wizards = join(path, 'wizards');
  await cp(join(root, 'examples/wizards'), wizards, { recursive: true });
  await cp(join(import.meta.dirname, 'wizards'), wizards, { recursive: true });
  if (oldSite !== undefined) await putOldFormat(wizards, oldSite);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function putOldFormat(wizards: string, site: string): Promise<void> {
  for (const file of ['wizard-structures/aid-estimator-old.json', 'data-schemas/aid-estimator-old-schema.json']) {
    const text = await readFile(join(import.meta.dirname, 'old-format', file), 'utf8');
    await mkdir(join(wizards, file, '..'), { recursive: true });
    await writeFile(join(wizards, file), text.replaceAll('https://studentaid.gov', site));
  }
}
