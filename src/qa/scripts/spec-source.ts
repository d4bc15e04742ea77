import { sourceOf } from '../../platform/page/rung-text.ts';
import { cleanText, escapeText } from '../../platform/untrusted-text.ts';
import { UNIQUE, UNIQUE_LENGTH } from '../cases/unique.ts';
import { type MarkKind, withoutMarks } from '../secrets/places.ts';
import {
  beginningPattern,
  filePattern,
  isExpectation,
  listedAs,
  type Place,
  pathPattern,
  type Step,
  secretsOf,
} from './model.ts';
import {
  addressSource,
  beginningSource,
  clickAgainSource,
  dialogsSource,
  escapedSource,
  failuresSource,
  hasWordsSource,
  offeredSource,
  ofSiteSource,
  onSiteSource,
  restSource,
  sentSource,
  wholeTextSource,
  writesSource,
} from './spec-parts.ts';
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
  const body = steps.map((step, i) => lineOf(step, beginningOf(steps, i))).join('\n');
  const has = (...kinds: Step['do'][]) => steps.some((step) => kinds.includes(step.do));
  const listens = has('expectRequest', 'expectNoRequest');
  const rests = has('expectNoText', 'expectNoRequest', 'expectNoErrors') || steps.some(isCounting);
  const followsTabs = steps.some((step) => 'opensTab' in step || 'closesTab' in step);
  const givesSecrets = steps.some(givesSecret);
  const clicksAgain = steps.some((step) => step.do === 'click' && step.times > 1);
  const types = [
    ...(has('expectDownload') ? ['type Download, '] : []),
    ...(givesSecrets || clicksAgain ? ['type Locator, '] : []),
    ...(steps.some(isOfParts) ? ['type Page, '] : []),
    ...(listens || rests ? ['type Request, '] : []),
    ...(clicksAgain ? ['type Route, '] : []),
  ].join('');
  const parts = [
    `import { expect, ${types}test } from '@playwright/test';`,
    '',
    ...(about ? [...comment(about)] : []),
    `const site = process.env['BASE_URL'] || ${literal(baseUrl)};`,
    'test.use({ baseURL: site });',
    '',
    `test(${literal(title)}, async ({ ${followsTabs ? 'page: first' : 'page'} }) => {`,
    ...(followsTabs ? ['  let page = first;', '  const tabs = [page];'] : []),
    ...secrets.map((name) => `  if (!process.env[${literal(name)}]) throw new Error(${literal(`Set ${name}`)});`),
    ...(body.includes(`\${unique}`) ? [`  const unique = ${uniqueSource()};`] : []),
    ...(listens ? [indented(sentSource)] : []),
    ...(steps.some(isOfAllWriting) ? ['  let begun = 0;'] : []),
    ...(rests ? [indented(restSource)] : []),
    ...(has('expectDialog') || steps.some(isConfirming) ? [indented(dialogsSource)] : []),
    ...(has('expectDownload') ? [indented(offeredSource)] : []),
    ...(has('expectNoErrors') ? [indented(failuresSource)] : []),
    body,
    '});',
    ...(has('expectUrl') || listens ? ['', addressSource] : []),
    ...(steps.some(isOfAllWriting) ? ['', writesSource] : []),
    ...(steps.some(isOfParts) ? ['', wholeTextSource] : []),
    ...(has('expectEach') ? ['', hasWordsSource] : []),
    ...(has('expectDownload') ? ['', beginningSource] : []),
    ...(rests || givesSecrets || body.includes('isOfSite(') ? ['', ofSiteSource] : []),
    ...(givesSecrets ? ['', onSiteSource] : []),
    ...(clicksAgain ? ['', clickAgainSource] : []),
    ...(body.includes('${escaped(') ? ['', escapedSource] : []),
    '',
  ];
  return parts.join('\n');
}

function uniqueSource(): string {
  return `Math.random().toString(36).slice(2).padEnd(${UNIQUE_LENGTH}, '0').slice(0, ${UNIQUE_LENGTH})`;
}

function lineOf(step: Step, beginning: string): string {
  const code = `${beginning}${withSecrets(codeOf(step))}`;
  if (isExpectation(step)) return indented(code);
  return `  await test.step(${inSource(inWords(step))}, async () => {\n    ${inTab(step, code)}\n  });`;
}

/** A tab that opens is gone on in; when it closes, the one before it is. */
function inTab(step: Step, code: string): string {
  if ('opensTab' in step)
    return `const opening = page.context().waitForEvent('page');\n    ${code}\n    page = await opening;\n    tabs.push(page);`;
  if (!('closesTab' in step)) return code;
  const clicked = `try {\n    ${code}\n    } catch (error) {\n      if (!page.isClosed()) throw error;\n    }`;
  return `const closing = page.waitForEvent('close');\n    ${clicked}\n    await closing;\n    tabs.pop();\n    page = tabs.at(-1) ?? first;`;
}

const isOfParts = (step: Step) => 'inParts' in step;
const isOfAllWriting = (step: Step) => step.do === 'expectNoRequest' && step.method === '*';

/** Of a step that is looked back to: what is expected after it counts from there on. */
function beginningOf(steps: readonly Step[], position: number): string {
  const one = steps[position];
  if (!one || isExpectation(one)) return '';
  const next = steps.findIndex((step, i) => i > position && !isExpectation(step));
  const expected = steps.slice(position + 1, next < 0 ? undefined : next);
  const lines = [
    ...(expected.some(isOfAllWriting) ? ['begun = sent.size;'] : []),
    ...(expected.some(({ do: what }) => what === 'expectDialog') ? ['spoken.length = 0;'] : []),
    ...(expected.some(({ do: what }) => what === 'expectDownload') ? ['offered.length = 0;'] : []),
  ];
  return lines.map((line) => `${line}\n    `).join('');
}

const isConfirming = (step: Step) => step.do === 'click' && step.confirms === true;
const isCounting = (step: Step) => step.do === 'expectRequest' && step.times !== undefined;

function givesSecret(step: Step): boolean {
  if (step.do === 'fillSecret') return true;
  const given = 'on' in step ? { ...step, on: undefined } : {};
  return !isExpectation(step) && JSON.stringify(given).includes('[secret');
}

/** The element that is given something: where that is a secret, only on a page of the site. */
function given(step: Extract<Step, { on: Place }>): string {
  return givesSecret(step) ? `(await onSite(${at(step.on)}))` : at(step.on);
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
      return `${leavesSite(step.url)}await page.goto(${literal(step.url)});`;
    case 'fill':
      return `await ${given(step)}.fill(${inSource(step.value)});`;
    case 'fillSecret':
      return `await ${given(step)}.fill(process.env[${literal(step.secret)}] ?? '');`;
    case 'type':
      return `await ${given(step)}.${givesSecret(step) ? 'type' : 'pressSequentially'}(${inSource(step.value)});`;
    case 'select':
      return `await ${given(step)}.selectOption([${step.options.map((option) => inSource(option)).join(', ')}]);`;
    case 'check':
      if (step.hidden)
        return `if ((await ${at(step.on)}.isChecked()) !== ${step.checked}) await ${at(step.on)}.dispatchEvent('click');`;
      return `await ${at(step.on)}.setChecked(${step.checked});`;
    case 'click': {
      const confirming = step.confirms ? 'confirms = true;\n    ' : '';
      const unchecking = step.unchecked
        ? `await page.evaluate(() => { for (const form of document.forms) form.noValidate = true; });\n    `
        : '';
      const clicked = step.times > 1 ? `clickAgain(${at(step.on)}, ${step.times})` : `${at(step.on)}.click()`;
      return `${confirming}${unchecking}await ${clicked};`;
    }
    case 'press':
      return `await ${at(step.on)}.press(${literal(step.key)});`;
    case 'upload': {
      const { name, type, content } = step.file;
      return `await ${given(step)}.setInputFiles({ name: ${literal(name)}, mimeType: ${literal(type)}, buffer: Buffer.from(${inSource(content)}) });`;
    }
    case 'reload':
      return 'await page.reload();';
    case 'back':
      return 'await page.waitForLoadState();\n    await page.goBack();';
    default:
      return expectationCode(step);
  }
}

function leavesSite(url: string): string {
  if (!/^https?:/i.test(url) || !url.includes('[secret')) return '';
  return `if (!isOfSite(${literal(url)})) throw new Error('No secret is given to another site');\n    `;
}

const body = `expect(page.locator('body'))`;
const main = `page.locator('main:visible, body:not(:has(main:visible))')`;

function expectationCode(step: Extract<Step, { oracle: unknown }>): string {
  switch (step.do) {
    case 'expectUrl':
      return `await expect(page).toHaveURL((url) => ${patternOf(step.path)}.test(addressOf(url.href)));`;
    case 'expectVisible':
      return `await expect(${at(step.on)}).toBeVisible();`;
    case 'expectText':
      if (step.inParts) return `await expect.poll(() => wholeText(page)).toContain(${inSource(step.text)});`;
      return `await ${body}.toContainText(${inSource(step.text)}, { useInnerText: true });`;
    case 'expectNoText':
      if (step.inParts)
        return `await rest();\nawait expect.poll(() => wholeText(page)).not.toContain(${inSource(step.text)});`;
      return `await rest();\nawait ${body}.not.toContainText(${inSource(step.text)}, { useInnerText: true });`;
    case 'expectDialog':
      return `await expect.poll(() => spoken.join(' ').replaceAll(/\\s+/g, ' ')).toContain(${inSource(step.text)});`;
    case 'expectDownload': {
      const begins = step.begins ? patternOf(step.begins, beginningPattern) : '/[^]/';
      return `await expect.poll(() => beginningOf(offered, ${patternOf(step.file, filePattern)}), { timeout: 15_000 }).toMatch(${begins});`;
    }
    case 'expectValue':
      return `await expect(${at(step.on)}).toHaveValue(${inSource(step.value)});`;
    case 'expectInvalid': {
      const verdict = step.flag ? `element.validity.${step.flag}` : '!element.validity.valid';
      return `expect(await ${at(step.on)}.evaluate((element: HTMLInputElement) => ${verdict})).toBe(true);`;
    }
    case 'expectDisabled':
      return `await page.waitForTimeout(1000);\nawait expect(${at(step.on)}).toBeDisabled();`;
    case 'expectCount':
      return `await expect(${main}.getByRole('${step.role}')).toHaveCount(${step.count});`;
    case 'expectEach': {
      const listed = `${main}.locator('${listedAs[step.role]}').filter({ visible: true })`;
      const wanted = `${inSource(step.text)}${step.partly ? ', true' : ''}`;
      const each = `const texts = await ${listed}.allInnerTexts();\n  return texts.length > 0 ? texts.filter((text) => !hasWords(text, ${wanted})) : ['nothing is listed'];`;
      return `await expect.poll(async () => {\n  ${each}\n}).toEqual([]);`;
    }
    case 'expectRequest':
      return `${exactly(step)}await expect.poll(() => [...sent.values()].some(({ method, path, status }) => status > 0 && status < 400 && method === '${step.method}' && ${patternOf(step.path)}.test(path))).toBe(true);`;
    case 'expectNoRequest':
      if (step.method === '*')
        return `await rest();\nexpect([...sent.values()].slice(begun).filter(writes)).toEqual([]);`;
      return `await rest();\nexpect([...sent.values()].filter(({ method, path }) => method === '${step.method}' && ${patternOf(step.path)}.test(path))).toEqual([]);`;
    case 'expectNoErrors':
      return 'await rest();\nexpect(failures).toEqual([]);';
  }
}

/** What is sent more often than it should be may still be on its way. */
function exactly({ times, method, path }: Extract<Step, { do: 'expectRequest' }>): string {
  if (times === undefined) return '';
  const matching = `[...sent.values()].filter(({ method, path }) => method === '${method}' && ${patternOf(path)}.test(path)).length`;
  return `await rest();\nawait expect.poll(() => ${matching}).toBe(${times});\n`;
}

function patternOf(text: string, pattern: (text: string) => RegExp = pathPattern): string {
  const { source } = pattern(text);
  const named = source
    .replaceAll('\\{\\{unique\\}\\}', UNIQUE)
    .replaceAll('\\[secret:\\]', '\\[secret')
    .replaceAll(/\\\[(secret(?:-uri|-form)?:[^\\\]]+)\\\]/g, '[$1]');
  const filled = withoutMarks(templateOf(named), (name, kind) => `\${escaped(${variable(name, kind)})}`);
  if (filled !== templateOf(named)) return `new RegExp(${filled})`;
  return named === source ? pattern(text).toString() : `new RegExp(${templateOf(named)})`;
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
    .map((piece) => escapeText(piece.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&').replaceAll('\n', '\\n')));
  return `\`${pieces.join(`\${unique}`)}\``;
}

function literal(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escapeText(inner)}'`;
}

function comment(text: string): string[] {
  return cleanText(text)
    .split(/\r?\n/)
    .map((line) => `// ${line}`);
}

function indented(code: string): string {
  return code.replaceAll(/^/gm, '  ');
}
