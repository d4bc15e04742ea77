import { rungToScript } from '../../../platform/page/locate/rung-selector.ts';
import { cleanText, escapeText } from '../../../platform/text/untrusted-text.ts';
import { UNIQUE_LENGTH, UNIQUE_TOKEN } from '../../cases/values/unique-token.ts';
import { type PlaceholderKind, replacePlaceholders } from '../../secrets/secret-placeholders.ts';
import { describeStep } from '../model/describe-step.ts';
import {
  beginningPattern,
  type ElementTarget,
  filePattern,
  isExpectation,
  listedRoleSelectors,
  pathPattern,
  type ScriptStep,
  secretNamesOf,
} from '../model/script-steps.ts';
import {
  addressSource,
  dialogsSource,
  downloadsSource,
  escapedSource,
  failuresSource,
  fileBeginningSource,
  hasWordsSource,
  networkIdleSource,
  repeatedClickSource,
  sameSiteSource,
  sentSource,
  siteElementSource,
  wholeTextSource,
  writeRequestSource,
} from './spec-helpers.ts';

export interface SpecSubject {
  title: string;
  baseUrl: string;
  steps: readonly ScriptStep[];
  /** What the test is about, for the comment at the top. */
  about?: string;
}

/**
 * The script as a Playwright test that needs nothing but @playwright/test. The site is BASE_URL, or the one that the
 * script was written for; each secret is an environment variable with its name.
 */
export function renderSpec({ title, baseUrl, steps, about }: SpecSubject): string {
  const secrets = secretNamesOf(steps);
  const body = steps.map((step, i) => renderStep(step, renderReset(steps, i))).join('\n');
  const has = (...kinds: ScriptStep['do'][]) => steps.some((step) => kinds.includes(step.do));
  const listens = has('expectRequest', 'expectNoRequest');
  const rests = has('expectNoText', 'expectNoRequest', 'expectNoErrors') || steps.some(isCounting);
  const followsTabs = steps.some((step) => 'opensTab' in step || 'closesTab' in step);
  const givesSecrets = steps.some(entersSecret);
  const clicksAgain = steps.some((step) => step.do === 'click' && step.times > 1);
  const types = [
    ...(has('expectDownload') ? ['type Download, '] : []),
    ...(givesSecrets || clicksAgain ? ['type Locator, '] : []),
    ...(steps.some(includesFrames) ? ['type Page, '] : []),
    ...(listens || rests ? ['type Request, '] : []),
    ...(clicksAgain ? ['type Route, '] : []),
  ].join('');
  const parts = [
    `import { expect, ${types}test } from '@playwright/test';`,
    '',
    ...(about ? [...commentLines(about)] : []),
    `const site = process.env['BASE_URL'] || ${literalSource(baseUrl)};`,
    'test.use({ baseURL: site });',
    '',
    `test(${literalSource(title)}, async ({ ${followsTabs ? 'page: first' : 'page'} }) => {`,
    ...(followsTabs ? ['  let page = first;', '  const tabs = [page];'] : []),
    ...secrets.map(
      (name) => `  if (!process.env[${literalSource(name)}]) throw new Error(${literalSource(`Set ${name}`)});`,
    ),
    ...(body.includes(`\${unique}`) ? [`  const unique = ${uniqueSource()};`] : []),
    ...(listens ? [indent(sentSource)] : []),
    ...(steps.some(forbidsAllWrites) ? ['  let begun = 0;'] : []),
    ...(rests ? [indent(networkIdleSource)] : []),
    ...(has('expectDialog') || steps.some(isConfirming) ? [indent(dialogsSource)] : []),
    ...(has('expectDownload') ? [indent(downloadsSource)] : []),
    ...(has('expectNoErrors') ? [indent(failuresSource)] : []),
    body,
    '});',
    ...(has('expectUrl') || listens ? ['', addressSource] : []),
    ...(steps.some(forbidsAllWrites) ? ['', writeRequestSource] : []),
    ...(steps.some(includesFrames) ? ['', wholeTextSource] : []),
    ...(has('expectEach') ? ['', hasWordsSource] : []),
    ...(has('expectDownload') ? ['', fileBeginningSource] : []),
    ...(rests || givesSecrets || body.includes('isOfSite(') ? ['', sameSiteSource] : []),
    ...(givesSecrets ? ['', siteElementSource] : []),
    ...(clicksAgain ? ['', repeatedClickSource] : []),
    ...(body.includes('${escaped(') ? ['', escapedSource] : []),
    '',
  ];
  return parts.join('\n');
}

function uniqueSource(): string {
  return `Math.random().toString(36).slice(2).padEnd(${UNIQUE_LENGTH}, '0').slice(0, ${UNIQUE_LENGTH})`;
}

function renderStep(step: ScriptStep, beginning: string): string {
  const code = `${beginning}${withSecretVariables(renderAction(step))}`;
  if (isExpectation(step)) return indent(code);
  return `  await test.step(${valueSource(describeStep(step))}, async () => {\n    ${withTabSwitch(step, code)}\n  });`;
}

/** Continues in a tab that opens, and in the one before it when it closes. */
function withTabSwitch(step: ScriptStep, code: string): string {
  if ('opensTab' in step)
    return `const opening = page.context().waitForEvent('page');\n    ${code}\n    page = await opening;\n    tabs.push(page);`;
  if (!('closesTab' in step)) return code;
  const clicked = `try {\n    ${code}\n    } catch (error) {\n      if (!page.isClosed()) throw error;\n    }`;
  return `const closing = page.waitForEvent('close');\n    ${clicked}\n    await closing;\n    tabs.pop();\n    page = tabs.at(-1) ?? first;`;
}

const includesFrames = (step: ScriptStep) => 'inParts' in step;
const forbidsAllWrites = (step: ScriptStep) => step.do === 'expectNoRequest' && step.method === '*';

/** Starts a new record of the helpers at a step, if a later expectation counts from it. */
function renderReset(steps: readonly ScriptStep[], position: number): string {
  const one = steps[position];
  if (!one || isExpectation(one)) return '';
  const next = steps.findIndex((step, i) => i > position && !isExpectation(step));
  const expected = steps.slice(position + 1, next < 0 ? undefined : next);
  const lines = [
    ...(expected.some(forbidsAllWrites) ? ['begun = sent.size;'] : []),
    ...(expected.some(({ do: what }) => what === 'expectDialog') ? ['spoken.length = 0;'] : []),
    ...(expected.some(({ do: what }) => what === 'expectDownload') ? ['offered.length = 0;'] : []),
  ];
  return lines.map((line) => `${line}\n    `).join('');
}

const isConfirming = (step: ScriptStep) => step.do === 'click' && step.confirms === true;
const isCounting = (step: ScriptStep) => step.do === 'expectRequest' && step.times !== undefined;

function entersSecret(step: ScriptStep): boolean {
  if (step.do === 'fillSecret') return true;
  const withoutTarget = 'on' in step ? { ...step, on: undefined } : {};
  return !isExpectation(step) && JSON.stringify(withoutTarget).includes('[secret');
}

/** The element that gets a value; for a secret, only on a page of the site. */
function targetSource(step: Extract<ScriptStep, { on: ElementTarget }>): string {
  return entersSecret(step) ? `(await onSite(${locatorSource(step.on)}))` : locatorSource(step.on);
}

/** A text with secrets becomes a template with their variables. */
function withSecretVariables(code: string): string {
  if (!code.includes('[secret')) return code;
  return code.replaceAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (quoted) => {
    const raw = quoted.startsWith('`') ? quoted : `\`${quoted.slice(1, -1).replaceAll(/`|\$(?=\{)/g, '\\$&')}\``;
    const filled = replacePlaceholders(raw, (name, kind) => `\${${secretVariable(name, kind)}}`);
    return filled === raw ? quoted : filled;
  });
}

function secretVariable(name: string, kind: PlaceholderKind): string {
  const value = `process.env[${literalSource(name)}] ?? ''`;
  if (kind === '-form') return `new URLSearchParams({ v: ${value} }).toString().slice(2)`;
  return kind === '-uri' ? `encodeURIComponent(${value})` : value;
}

function renderAction(step: ScriptStep): string {
  switch (step.do) {
    case 'goto':
      return `${siteCheckSource(step.url)}await page.goto(${literalSource(step.url)});`;
    case 'fill':
      return `await ${targetSource(step)}.fill(${valueSource(step.value)});`;
    case 'fillSecret':
      return `await ${targetSource(step)}.fill(process.env[${literalSource(step.secret)}] ?? '');`;
    case 'type':
      return `await ${targetSource(step)}.${entersSecret(step) ? 'type' : 'pressSequentially'}(${valueSource(step.value)});`;
    case 'select':
      return `await ${targetSource(step)}.selectOption([${step.options.map((option) => valueSource(option)).join(', ')}]);`;
    case 'check':
      if (step.hidden)
        return `if ((await ${locatorSource(step.on)}.isChecked()) !== ${step.checked}) await ${locatorSource(step.on)}.dispatchEvent('click');`;
      return `await ${locatorSource(step.on)}.setChecked(${step.checked});`;
    case 'click': {
      const confirming = step.confirms ? 'confirms = true;\n    ' : '';
      const unchecking = step.unchecked
        ? `await page.evaluate(() => { for (const form of document.forms) form.noValidate = true; });\n    `
        : '';
      const clicked =
        step.times > 1 ? `clickAgain(${locatorSource(step.on)}, ${step.times})` : `${locatorSource(step.on)}.click()`;
      return `${confirming}${unchecking}await ${clicked};`;
    }
    case 'press':
      return `await ${locatorSource(step.on)}.press(${literalSource(step.key)});`;
    case 'upload': {
      const { name, type, content } = step.file;
      return `await ${targetSource(step)}.setInputFiles({ name: ${literalSource(name)}, mimeType: ${literalSource(type)}, buffer: Buffer.from(${valueSource(content)}) });`;
    }
    case 'reload':
      return 'await page.reload();';
    case 'back':
      return 'await page.waitForLoadState();\n    await page.goBack();';
    default:
      return renderExpectation(step);
  }
}

function siteCheckSource(url: string): string {
  if (!/^https?:/i.test(url) || !url.includes('[secret')) return '';
  return `if (!isOfSite(${literalSource(url)})) throw new Error('No secret is entered on another site');\n    `;
}

const body = `expect(page.locator('body'))`;
const main = `page.locator('main:visible, body:not(:has(main:visible))')`;

function renderExpectation(step: Extract<ScriptStep, { oracle: unknown }>): string {
  switch (step.do) {
    case 'expectUrl':
      return `await expect(page).toHaveURL((url) => ${patternSource(step.path)}.test(addressOf(url.href)));`;
    case 'expectVisible':
      return `await expect(${locatorSource(step.on)}).toBeVisible();`;
    case 'expectText':
      if (step.inParts) return `await expect.poll(() => wholeText(page)).toContain(${valueSource(step.text)});`;
      return `await ${body}.toContainText(${valueSource(step.text)}, { useInnerText: true });`;
    case 'expectNoText':
      if (step.inParts)
        return `await rest();\nawait expect.poll(() => wholeText(page)).not.toContain(${valueSource(step.text)});`;
      return `await rest();\nawait ${body}.not.toContainText(${valueSource(step.text)}, { useInnerText: true });`;
    case 'expectDialog':
      return `await expect.poll(() => spoken.join(' ').replaceAll(/\\s+/g, ' ')).toContain(${valueSource(step.text)});`;
    case 'expectDownload': {
      const begins = step.begins ? patternSource(step.begins, beginningPattern) : '/[^]/';
      return `await expect.poll(() => beginningOf(offered, ${patternSource(step.file, filePattern)}), { timeout: 15_000 }).toMatch(${begins});`;
    }
    case 'expectValue':
      return `await expect(${locatorSource(step.on)}).toHaveValue(${valueSource(step.value)});`;
    case 'expectInvalid': {
      const verdict = step.flag ? `element.validity.${step.flag}` : '!element.validity.valid';
      return `expect(await ${locatorSource(step.on)}.evaluate((element: HTMLInputElement) => ${verdict})).toBe(true);`;
    }
    case 'expectDisabled':
      return `await page.waitForTimeout(1000);\nawait expect(${locatorSource(step.on)}).toBeDisabled();`;
    case 'expectCount':
      return `await expect(${main}.getByRole('${step.role}')).toHaveCount(${step.count});`;
    case 'expectEach': {
      const listed = `${main}.locator('${listedRoleSelectors[step.role]}').filter({ visible: true })`;
      const wanted = `${valueSource(step.text)}${step.partly ? ', true' : ''}`;
      const each = `const texts = await ${listed}.allInnerTexts();\n  return texts.length > 0 ? texts.filter((text) => !hasWords(text, ${wanted})) : ['nothing is listed'];`;
      return `await expect.poll(async () => {\n  ${each}\n}).toEqual([]);`;
    }
    case 'expectRequest':
      return `${exactCountSource(step)}await expect.poll(() => [...sent.values()].some(({ method, path, status }) => status > 0 && status < 400 && method === '${step.method}' && ${patternSource(step.path)}.test(path))).toBe(true);`;
    case 'expectNoRequest':
      if (step.method === '*')
        return `await rest();\nexpect([...sent.values()].slice(begun).filter(writes)).toEqual([]);`;
      return `await rest();\nexpect([...sent.values()].filter(({ method, path }) => method === '${step.method}' && ${patternSource(step.path)}.test(path))).toEqual([]);`;
    case 'expectNoErrors':
      return 'await rest();\nexpect(failures).toEqual([]);';
  }
}

/** A request that is sent too often may still be pending. */
function exactCountSource({ times, method, path }: Extract<ScriptStep, { do: 'expectRequest' }>): string {
  if (times === undefined) return '';
  const matching = `[...sent.values()].filter(({ method, path }) => method === '${method}' && ${patternSource(path)}.test(path)).length`;
  return `await rest();\nawait expect.poll(() => ${matching}).toBe(${times});\n`;
}

function patternSource(text: string, pattern: (text: string) => RegExp = pathPattern): string {
  const { source } = pattern(text);
  const named = source
    .replaceAll('\\{\\{unique\\}\\}', UNIQUE_TOKEN)
    .replaceAll('\\[secret:\\]', '\\[secret')
    .replaceAll(/\\\[(secret(?:-uri|-form)?:[^\\\]]+)\\\]/g, '[$1]');
  const filled = replacePlaceholders(
    templateSource(named),
    (name, kind) => `\${escaped(${secretVariable(name, kind)})}`,
  );
  if (filled !== templateSource(named)) return `new RegExp(${filled})`;
  return named === source ? pattern(text).toString() : `new RegExp(${templateSource(named)})`;
}

function locatorSource({ ladder }: ElementTarget): string {
  const [best] = ladder;
  return best ? rungToScript(best) : 'page';
}

/** A value as source: a template if it contains the part that differs in each run. */
function valueSource(value: string): string {
  return value.includes(UNIQUE_TOKEN) ? templateSource(value) : literalSource(value);
}

function templateSource(value: string): string {
  const pieces = value
    .split(UNIQUE_TOKEN)
    .map((piece) => escapeText(piece.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&').replaceAll('\n', '\\n')));
  return `\`${pieces.join(`\${unique}`)}\``;
}

function literalSource(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escapeText(inner)}'`;
}

function commentLines(text: string): string[] {
  return cleanText(text)
    .split(/\r?\n/)
    .map((line) => `// ${line}`);
}

function indent(code: string): string {
  return code.replaceAll(/^/gm, '  ');
}
