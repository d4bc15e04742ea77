import { appendFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure, systemReason } from '../../platform/errors.ts';
import { cleanText } from '../../platform/text/untrusted-text.ts';
import { printStderr, printStdout } from '../command.ts';

/** GitHub's limit for the summary of one step. */
const MOST_SUMMARY_BYTES = 1_000_000;
const MOST_ANNOTATIONS = 50;

/** Checks before a long run that its result files can be written. */
export async function checkOutputFiles(files: readonly (string | undefined)[]): Promise<void> {
  for (const file of files) {
    if (file === undefined) continue;
    const cannot = (why: string) => new Failure('configuration', 'BAD_USAGE', `Cannot write ${file}: ${why}.`);
    await mkdir(dirname(resolve(file)), { recursive: true }).catch((error: unknown) => {
      throw cannot(systemReason(error));
    });
    if ((await stat(file).catch(() => undefined))?.isDirectory()) throw cannot('it is a folder');
  }
}

export async function writeOutputFile(file: string, content: string | Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(resolve(file)), { recursive: true });
    await writeFile(file, content);
  } catch (error) {
    throw new Failure('unavailable', 'NOT_WRITTEN', `Cannot write ${file}: ${systemReason(error)}.`);
  }
}

/** A finding that GitHub shows beside the change. */
export interface CiAnnotation {
  level: 'error' | 'warning';
  title: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
}

export const isOnGitHub = (env = process.env) => env['GITHUB_ACTIONS'] === 'true';

/** Prints annotations when this runs on GitHub. */
export async function printAnnotations(notes: readonly CiAnnotation[]): Promise<void> {
  if (!isOnGitHub()) return;
  for (const note of notes.slice(0, MOST_ANNOTATIONS)) await printStdout(formatAnnotation(note));
}

/** Appends to the job summary when this runs on GitHub. A failure to write it changes no verdict. */
export async function appendJobSummary(markdown: string): Promise<void> {
  const file = isOnGitHub() ? process.env['GITHUB_STEP_SUMMARY'] : undefined;
  if (!file) return;
  const bytes = Buffer.from(`${markdown}\n`).subarray(0, MOST_SUMMARY_BYTES);
  // A cut character decodes to U+FFFD.
  const text = bytes.toString('utf8').replace(/\ufffd$/, '');
  await appendFile(file, text).catch((error: unknown) => {
    printStderr(`assay: cannot write the GitHub summary: ${systemReason(error)}.`);
  });
}

/** Formats the verdict and its findings, for runs without a report. */
export function formatShortSummary(line: string, notes: readonly CiAnnotation[]): string {
  const listed = notes.slice(0, MOST_ANNOTATIONS).map(({ title }) => `- ${inMarkdown(title)}\n`);
  const more = notes.length > MOST_ANNOTATIONS ? `\nAnd ${notes.length - MOST_ANNOTATIONS} more.\n` : '';
  return `## Tests: ${line}\n\n${listed.join('')}${more}`;
}

const inMarkdown = (text: string) => toLogLine(text).replace(/[\\`*_{}[\]<>|#~!&@]/g, '\\$&');

/** Formats a workflow command. All values are escaped, so that text of a tested site cannot become a command. */
export function formatAnnotation({ level, title, message, file, line }: CiAnnotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${property(file)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${property(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${data(message)}`;
}

const data = (text: string) =>
  toLogLine(text.slice(0, 2000)).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => data(text.slice(0, 200)).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Makes text safe for one line of a pipeline log, which interprets `##[…]` and `##vso[…]` as commands. */
export function toLogLine(text: string): string {
  return cleanText(text, { multiline: false })
    .replace(/\s+/g, ' ')
    .replaceAll('##', '# #')
    .replace(/^(\s*)::/, '$1: :');
}
