import { appendFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Failure, systemCode, systemReason } from '../../../platform/errors.ts';
import { cleanText } from '../../../platform/text/untrusted-text.ts';
import type { ScanConfig } from '../input/engine-config.ts';

export const RUN_FILE = 'run.json';

/** CWAC's rule for audit names in folder names. */
function sanitiseFolderName(name: string): string {
  return name
    .trim()
    .replace(/[^a-zA-Z0-9_\-.]/g, '_')
    .replace(/_+/g, '_')
    .slice(0, 50);
}

/** Creates a new results folder that contains the configuration. Scans with the same name and second get different folders. */
export async function createResultsFolder(root: string, config: ScanConfig, now: Date): Promise<string> {
  const name = `${stamp(now)}_${sanitiseFolderName(config.audit_name)}`;
  try {
    await mkdir(join(root, 'results'), { recursive: true });
    const dir = await createUniqueFolder(join(root, 'results', name));
    const saved = { ...config, audit_name: basename(dir) };
    await writeFile(join(dir, 'config.json'), `\uFEFF${JSON.stringify(saved, undefined, 4)}`);
    return dir;
  } catch (error) {
    const message = `Cannot create a results folder in ${join(root, 'results')}: ${systemReason(error)}.`;
    throw new Failure('unavailable', 'RESULTS_UNWRITABLE', message, {}, { cause: error });
  }
}

/** Records the browser of the scan, for its report. */
export async function recordBrowser(dir: string, browser: string): Promise<void> {
  await writeFile(join(dir, RUN_FILE), `${JSON.stringify({ browser })}\n`);
}

/** Records that the scan has finished, for readers that were not running at that time. */
export async function recordEnd(dir: string): Promise<void> {
  const path = join(dir, RUN_FILE);
  const run = JSON.parse(await readFile(path, 'utf8').catch(() => '{}'));
  await writeFile(path, `${JSON.stringify({ ...run, ended: new Date().toISOString() })}\n`);
}

export async function hasRecordedEnd(dir: string): Promise<boolean> {
  const text = await readFile(join(dir, RUN_FILE), 'utf8').catch(() => '');
  return text.includes('"ended"');
}

/** Prints each line and appends it to a log file beside the results, as CWAC does. An unwritable log does not stop the scan. */
export function createLoggingPrint(dir: string, print: (line: string) => void): (line: string) => void {
  const file = join(dir, `${basename(dir)}.log`);
  return (raw) => {
    const line = cleanText(raw, { multiline: false });
    print(line);
    try {
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`);
    } catch {
      // A full disk is reported when the results are written.
    }
  };
}

async function createUniqueFolder(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const dir = number === 1 ? path : `${path}_${number}`;
    try {
      await mkdir(dir);
      return dir;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST' || number > 1000) throw error;
    }
  }
}

/** Local time in the format of CWAC's folder names. */
function stamp(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `${day}_${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-')}`;
}
