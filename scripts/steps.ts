import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

/** A program of this repository's own node_modules, or a script, on this Node; its output goes where ours goes. */
export function runStep(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = `${root}node_modules/.bin${process.platform === 'win32' ? ';' : ':'}${process.env['PATH'] ?? ''}`;
    const [program = '', ...rest] = args;
    const child = spawn(program, rest, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path, ...env } });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
