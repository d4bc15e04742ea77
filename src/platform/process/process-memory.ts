import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Returns the memory of a running process in bytes, or undefined if it has ended or the system does not tell (Windows). On
 * Linux, mapped files do not count, because the system can drop their pages at any time.
 */
export async function readProcessMemory(pid: number): Promise<number | undefined> {
  if (process.platform === 'win32') return undefined;
  const kibibytes =
    process.platform === 'linux'
      ? /^RssAnon:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'latin1').catch(() => ''))?.[1]
      : await readFromPs(pid);
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

async function readFromPs(pid: number): Promise<string | undefined> {
  const listed = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => undefined);
  return listed && /\d+/.exec(listed.stdout)?.[0];
}
