import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { httpSettings } from '../../src/commands/startup/http-settings.ts';
import { settings } from '../../src/platform/settings.ts';
import { loadCatalog } from '../../src/tool/catalog.ts';
import { root } from '../support/assay.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const slashes = (path: string) => path.replaceAll('\\', '/');

const generated = ['docs/configuration.md', ...globSync('docs/tools/*.md', { cwd: root }).map(slashes)];
const pages = globSync(['*.md', '.github/*.md', 'docs/**/*.md', 'src/**/*.md'], { cwd: root })
  .map(slashes)
  .filter((path) => path !== 'CHANGELOG.md');
/** The style guide quotes what it advises against, and names files that do not exist. */
const written = pages.filter((path) => !generated.includes(path) && path !== 'docs/style.md');

const repositoryFiles = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');

const { toolsets } = await loadCatalog();
const names = new Set(
  toolsets.flatMap(({ tools, prompts }) => [...tools, ...prompts].map((definition) => definition.name)),
);

const withoutFences = (text: string) => text.replace(/^```.*?^```$/gms, '');
const inlineCode = (text: string) => [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

function anchorsIn(path: string): string[] {
  return [...withoutFences(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

test.each(pages)('every relative link of %s leads to a file and a heading', (path) => {
  const links = [...withoutFences(read(path)).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)];
  for (const [link, target = '', anchor = ''] of links) {
    const file = target === '' ? path : slashes(join(dirname(path), target));
    expect(existsSync(join(root, file)), `${path}: ${link}`).toBe(true);
    if (anchor !== '') expect(anchorsIn(file), `${path}: ${link}`).toContain(anchor);
  }
});

describe.each(written)('%s', (path) => {
  const text = read(path);
  const code = inlineCode(text);

  test('names only files and folders that exist', () => {
    const folders = /^(?:src|test|docs|scripts|bench|examples|bin|tools|\.github)\/[\w./-]*$/;
    const missing = code.filter((name) => {
      if (name === 'tools/list' || name === 'tools/call') return false;
      if (folders.test(name)) return !existsSync(join(root, name));
      if (!/^[\w./-]+\.ts$/.test(name)) return false;
      return !repositoryFiles.some((file) => file === name || file.endsWith(`/${name}`));
    });
    expect(missing).toEqual([]);
  });

  test('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('names only tools, toolsets and settings that exist', () => {
    const tools = text.match(/\b(?:qa|caws|cwac|federalscout|federalrunner)_[a-z_]+[a-z]\b(?![*_])/g) ?? [];
    // Tables have such names too.
    expect(tools.filter((name) => !names.has(name) && !isReadInSource(name))).toEqual([]);
    const flags = new Set([...Object.values(settings), ...httpSettings].map(({ env }) => env));
    const variables = text.match(/\bASSAY_[A-Z_]+[A-Z]\b/g) ?? [];
    expect(variables.filter((name) => !flags.has(name) && !isReadInSource(name))).toEqual([]);
  });

  test('has no sentence of more than 30 words', () => {
    const blocks = withoutFences(text).split(/\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.))|\|/);
    const sentences = blocks.flatMap((block) => block.replaceAll(/`[^`]*`/g, 'code').split(/[.!?:;](?:\s+|$)/));
    expect(sentences.filter((sentence) => sentence.trim().split(/\s+/).length > 30)).toEqual([]);
  });

  test('uses the words of the style guide', () => {
    const avoided =
      /\b(?:nobody|somebody|anybody|whoever|whatever|mend(?:s|ed|ing)?|faults?|witnessed|discreet|honesty|manners|house)\b/gi;
    expect(withoutFences(text).match(avoided) ?? []).toEqual([]);
  });
});

const sources = repositoryFiles.filter((file) => /^src\/.*\.ts$/.test(file) && existsSync(join(root, file)));
const sourceText = sources.map(read).join('\n');
const isReadInSource = (name: string) => sourceText.includes(name);

/** Values interrupt a message in the code, so most of its groups of words must be there, not all. */
test('every message of the troubleshooting page is in the code', () => {
  const blocks = [...read('docs/troubleshooting.md').matchAll(/^```text\n(.*?)^```$/gms)];
  const messages = blocks.flatMap(([, block = '']) => block.split('\n').filter((line) => line !== ''));
  const code = [sourceText, read('bin/assay.js')].join('\n').replaceAll('\\"', '"');
  const outdated = messages.filter((message) => {
    const words = message.split(' ');
    const size = words.length < 8 ? 2 : 3;
    const groups = words.map((_, index) => words.slice(index, index + size)).slice(0, 1 - size);
    const known = groups.filter((group) => code.includes(group.join(' ')));
    return known.length < groups.length / 2 && !code.includes(message.replaceAll(/ ?… ?/g, ''));
  });
  expect(messages.length).toBeGreaterThan(0);
  expect(outdated).toEqual([]);
});

test('the architecture page names only identifiers that the code has', () => {
  const identifiers = inlineCode(read('docs/architecture.md'))
    .map((code) => /^([a-z]+[A-Z]\w*)(?:\(.*\))?$/.exec(code)?.[1])
    .filter((name) => name !== undefined);
  expect(identifiers.length).toBeGreaterThan(0);
  expect(identifiers.filter((name) => !new RegExp(`\\b${name}\\b`).test(sourceText))).toEqual([]);
});

test('the picture of the README exists and is small', () => {
  const [, picture = ''] = /<img src="([^"]+)"/.exec(read('README.md')) ?? [];
  expect(statSync(join(root, picture)).size).toBeLessThan(150_000);
});
