import { appendFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure, systemReason } from '../../platform/errors.ts';
import { cleanText } from '../../platform/text/untrusted-text.ts';
import { printStderr, printStdout } from '../command.ts';

/** GitHub takes no more than this for one step. */
const MOST_SUMMARY_BYTES = 1_000_000;
const MOST_ANNOTATIONS = 50;

/** Asked before a long run, whose results would have no place to go. */
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

/** Something that a reviewer is shown beside the change. */
export interface CiAnnotation {
  level: 'error' | 'warning';
  title: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
}

export const isOnGitHub = (env = process.env) => env['GITHUB_ACTIONS'] === 'true';

/** Where this runs on GitHub, the notes become annotations. */
export async function printAnnotations(notes: readonly CiAnnotation[]): Promise<void> {
  if (!isOnGitHub()) return;
  for (const note of notes.slice(0, MOST_ANNOTATIONS)) await printStdout(formatAnnotation(note));
}

/** Where this runs on GitHub, this stands on the page of the run. What cannot be shown there changes no verdict. */
export async function appendJobSummary(markdown: string): Promise<void> {
  const file = isOnGitHub() ? process.env['GITHUB_STEP_SUMMARY'] : undefined;
  if (!file) return;
  const bytes = Buffer.from(`${markdown}\n`).subarray(0, MOST_SUMMARY_BYTES);
  // Not through the middle of a character.
  const text = bytes.toString('utf8').replace(/\ufffd$/, '');
  await appendFile(file, text).catch((error: unknown) => {
    printStderr(`assay: the summary for GitHub cannot be written: ${systemReason(error)}.`);
  });
}

/** The verdict and what led to it, where there is no report to say more. */
export function formatShortSummary(line: string, notes: readonly CiAnnotation[]): string {
  const listed = notes.slice(0, MOST_ANNOTATIONS).map(({ title }) => `- ${inMarkdown(title)}\n`);
  const more = notes.length > MOST_ANNOTATIONS ? `\nAnd ${notes.length - MOST_ANNOTATIONS} more.\n` : '';
  return `## Tests: ${line}\n\n${listed.join('')}${more}`;
}

const inMarkdown = (text: string) => toLogLine(text).replace(/[\\`*_{}[\]<>|#~!&@]/g, '\\$&');

/** A workflow command. Everything in it is escaped: what a tested site said must not become a command of its own. */
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

/** One line for the log of a pipeline, which takes `##[…]` and `##vso[…]` anywhere in it for a command. */
export function toLogLine(text: string): string {
  return cleanText(text, { multiline: false })
    .replace(/\s+/g, ' ')
    .replaceAll('##', '# #')
    .replace(/^(\s*)::/, '$1: :');
}
