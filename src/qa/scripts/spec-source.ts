import { sourceOf } from '../../platform/page/rung-text.ts';
import { UNIQUE, UNIQUE_LENGTH } from '../cases/values.ts';
import { type MarkKind, withoutMarks } from '../secrets/places.ts';
import { isExpectation, type Place, pathPattern, type Step, secretsOf } from './model.ts';
import { inWords } from './words.ts';

export interface SpecSubject {
  title: string;
  baseUrl: string;
  steps: readonly Step[];
  /** What it is about, for the comment at its top. */
  about?: string;
}

/**
 * The script as a Playwright test of its own: nothing but @playwright/test is needed to run it. The site is BASE_URL, or the
 * one it was written on; each secret is an environment variable of its name.
 */
export function specSource({ title, baseUrl, steps, about }: SpecSubject): string {
  const secrets = secretsOf(steps);
  const body = steps.map((step) => lineOf(step)).join('\n');
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(body);
  const parts = [
    `import { expect, test } from '@playwright/test';`,
    '',
    ...(about ? [...comment(about)] : []),
    `test.use({ baseURL: process.env['BASE_URL'] || ${literal(baseUrl)} });`,
    '',
    `test(${literal(title)}, async ({ page }) => {`,
    ...secrets.map((name) => `  if (!process.env[${literal(name)}]) throw new Error(${literal(`Set ${name}`)});`),
    ...(uses('unique') ? [`  const unique = ${uniqueSource()};`] : []),
    ...(uses('sent') ? [indented(sentSource)] : []),
    ...(uses('failures') ? [indented(failuresSource)] : []),
    body,
    '});',
    ...(uses('addressOf') || uses('sent') ? ['', addressSource] : []),
    ...(uses('escaped') ? ['', escapedSource] : []),
    '',
  ];
  return parts.join('\n');
}

function uniqueSource(): string {
  return `Math.random().toString(36).slice(2).padEnd(${UNIQUE_LENGTH}, '0').slice(0, ${UNIQUE_LENGTH})`;
}

const sentSource = `const sent: { method: string; path: string; ok: boolean }[] = [];
page.on('response', (response) => {
  const request = response.request();
  sent.push({ method: request.method(), path: addressOf(request.url()), ok: response.status() < 400 });
});`;

const failuresSource = `const failures: string[] = [];
page.on('pageerror', (error) => failures.push(error.message));
page.on('response', (response) => {
  if (response.status() >= 500) failures.push(\`\${response.status()} \${response.url()}\`);
});`;

const addressSource = `function addressOf(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}`;

const escapedSource = `function escaped(text: string): string {
  return text.replaceAll(/[\\\\^$.*+?()[\\]{}|/-]/g, '\\\\$&');
}`;

function lineOf(step: Step): string {
  const code = withSecrets(codeOf(step));
  if (isExpectation(step)) return indented(code);
  return `  await test.step(${literal(inWords(step))}, async () => {\n    ${code}\n  });`;
}

/** What names a secret becomes a template with its variable. */
function withSecrets(code: string): string {
  if (!code.includes('[secret')) return code;
  return code.replaceAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (quoted) => {
    const raw = quoted.startsWith('`') ? quoted : `\`${quoted.slice(1, -1).replaceAll(/`|\$(?=\{)/g, '\\$&')}\``;
    const filled = withoutMarks(raw, (name, kind) => `\${${variable(name, kind)}}`);
    return filled === raw ? quoted : filled;
  });
}

function variable(name: string, kind: MarkKind): string {
  const value = `process.env[${literal(name)}] ?? ''`;
  if (kind === '-form') return `new URLSearchParams({ v: ${value} }).toString().slice(2)`;
  return kind === '-uri' ? `encodeURIComponent(${value})` : value;
}

function codeOf(step: Step): string {
  switch (step.do) {
    case 'goto':
      return `await page.goto(${literal(step.url)});`;
    case 'fill':
      return `await ${at(step.on)}.fill(${inSource(step.value)});`;
    case 'fillSecret':
      return `await ${at(step.on)}.fill(process.env[${literal(step.secret)}] ?? '');`;
    case 'type':
      return `await ${at(step.on)}.pressSequentially(${inSource(step.value)});`;
    case 'select':
      return `await ${at(step.on)}.selectOption([${step.options.map((option) => inSource(option)).join(', ')}]);`;
    case 'check':
      if (step.hidden)
        return `if ((await ${at(step.on)}.isChecked()) !== ${step.checked}) await ${at(step.on)}.dispatchEvent('click');`;
      return `await ${at(step.on)}.setChecked(${step.checked});`;
    case 'click': {
      const confirming = step.confirms ? `page.once('dialog', (dialog) => dialog.accept());\n    ` : '';
      const unchecking = step.unchecked
        ? `await page.evaluate(() => { for (const form of document.forms) form.noValidate = true; });\n    `
        : '';
      const times = step.times > 1 ? `{ clickCount: ${step.times} }` : '';
      return `${confirming}${unchecking}await ${at(step.on)}.click(${times});`;
    }
    case 'press':
      return `await ${at(step.on)}.press(${literal(step.key)});`;
    case 'upload': {
      const { name, type, content } = step.file;
      return `await ${at(step.on)}.setInputFiles({ name: ${literal(name)}, mimeType: ${literal(type)}, buffer: Buffer.from(${inSource(content)}) });`;
    }
    case 'reload':
      return 'await page.reload();';
    case 'back':
      return 'await page.goBack();';
    default:
      return expectationCode(step);
  }
}

const body = `expect(page.locator('body'))`;

function expectationCode(step: Extract<Step, { oracle: unknown }>): string {
  switch (step.do) {
    case 'expectUrl':
      return `await expect(page).toHaveURL((url) => ${addressMatch(step.path, 'url.href')});`;
    case 'expectVisible':
      return `await expect(${at(step.on)}).toBeVisible();`;
    case 'expectText':
      return `await ${body}.toContainText(${inSource(step.text)}, { useInnerText: true });`;
    case 'expectNoText':
      return `await ${body}.not.toContainText(${inSource(step.text)}, { useInnerText: true });`;
    case 'expectValue':
      return `await expect(${at(step.on)}).toHaveValue(${inSource(step.value)});`;
    case 'expectInvalid': {
      const verdict = step.flag ? `element.validity.${step.flag}` : '!element.validity.valid';
      return `expect(await ${at(step.on)}.evaluate((element: HTMLInputElement) => ${verdict})).toBe(true);`;
    }
    case 'expectCount':
      return `await expect(page.locator('main:visible, body:not(:has(main:visible))').getByRole('${step.role}')).toHaveCount(${step.count});`;
    case 'expectRequest':
      return `await expect.poll(() => sent.some(({ method, path, ok }) => ok && method === '${step.method}' && ${patternOf(step.path)}.test(path))).toBe(true);`;
    case 'expectNoRequest':
      return `expect(sent.filter(({ method, path }) => method === '${step.method}' && ${patternOf(step.path)}.test(path))).toEqual([]);`;
    case 'expectNoErrors':
      return 'expect(failures).toEqual([]);';
  }
}

function addressMatch(path: string, url: string): string {
  return /^https?:/.test(path) ? `${patternOf(path)}.test(${url})` : `${patternOf(path)}.test(addressOf(${url}))`;
}

function patternOf(path: string): string {
  const named = pathPattern(path)
    .source.replaceAll('\\{\\{unique\\}\\}', UNIQUE)
    .replaceAll('\\[secret:\\]', '\\[secret')
    .replaceAll(/\\\[(secret(?:-uri|-form)?:[^\\\]]+)\\\]/g, '[$1]');
  const filled = withoutMarks(templateOf(named), (name, kind) => `\${escaped(${variable(name, kind)})}`);
  if (filled !== templateOf(named)) return `new RegExp(${filled})`;
  return path.includes(UNIQUE) ? `new RegExp(${templateOf(named)})` : pathPattern(path).toString();
}

function at({ ladder }: Place): string {
  const [best] = ladder;
  return best ? sourceOf(best) : 'page';
}

/** A value in source: a template where it holds the part that differs from run to run. */
function inSource(value: string): string {
  return value.includes(UNIQUE) ? templateOf(value) : literal(value);
}

function templateOf(value: string): string {
  const pieces = value
    .split(UNIQUE)
    .map((piece) => piece.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&').replaceAll('\n', '\\n'));
  return `\`${pieces.join(`\${unique}`)}\``;
}

function literal(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll(/[\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`)}'`;
}

function comment(text: string): string[] {
  return text.split('\n').map((line) => `// ${line.replaceAll(/[\r\u2028\u2029]/g, ' ')}`);
}

function indented(code: string): string {
  return code.replaceAll(/^/gm, '  ');
}
