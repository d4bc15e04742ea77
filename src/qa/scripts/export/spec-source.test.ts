import { expect, test } from 'vitest';
import { filePattern, pathPattern, type ScriptStep } from '../model/script-steps.ts';
import { renderSpec } from './spec-source.ts';

/** What opens an expression in a template. */
const dollar = '$';
const on = (name: string) => ({ name, ladder: [{ by: 'label' as const, value: name }] });
const sourceOf = (...steps: ScriptStep[]) => renderSpec({ title: "Kim's test", baseUrl: 'http://site.test', steps });

test('renders a standalone test that reads site and secrets from the environment', () => {
  const source = sourceOf(
    { do: 'goto', url: '/login' },
    { do: 'fillSecret', on: on('Password'), secret: 'TEST_PASSWORD' },
    { do: 'expectText', text: 'Welcome', oracle: 'observed' },
  );
  expect(source).toContain(`test('Kim\\'s test'`);
  expect(source).toContain(`const site = process.env['BASE_URL'] || 'http://site.test';`);
  expect(source).toContain(`if (!process.env['TEST_PASSWORD']) throw new Error('Set TEST_PASSWORD');`);
  const field = "page.getByLabel('Password', { exact: true })";
  expect(source).toContain(`(await onSite(${field})).fill(process.env['TEST_PASSWORD'] ?? '')`);
  expect(source).not.toMatch(/assay/i);
});

test('uses one unique value throughout the test', () => {
  const source = sourceOf(
    { do: 'fill', on: on('Name'), value: `Ada \`{{unique}}\` ${dollar}{x}` },
    { do: 'expectText', text: 'Hello {{unique}}', oracle: 'observed' },
    { do: 'expectUrl', path: '/people/{{unique}}', oracle: 'observed' },
  );
  expect(source.match(/const unique = /g)).toHaveLength(1);
  expect(source).toContain(`\`Ada \\\`${dollar}{unique}\\\` \\${dollar}{x}\``);
  expect(source).toContain(`toContainText(\`Hello ${dollar}{unique}\``);
  expect(source).toContain(`^\\\\/people\\\\/${dollar}{unique}`);
});

test('renders a secret in an address or locator as a variable', () => {
  const steps: ScriptStep[] = [
    { do: 'goto', url: '/users/[secret-uri:USER]' },
    { do: 'click', on: on(`It's \` ${dollar}{process.exit()} [secret:USER]`), times: 1 },
    { do: 'expectUrl', path: '/users/[secret:USER]/{{unique}}', oracle: 'observed' },
  ];
  const source = sourceOf(...steps);
  expect(source).toContain(`goto(\`/users/${dollar}{encodeURIComponent(process.env['USER'] ?? '')}\`)`);
  expect(source).toContain(
    `getByLabel(\`It\\'s \\\` \\${dollar}{process.exit()} ${dollar}{process.env['USER'] ?? ''}\``,
  );
  expect(source).toContain(`${dollar}{escaped(process.env['USER'] ?? '')}\\\\/${dollar}{unique}`);
  expect(source).toContain("throw new Error('Set USER')");
  const declared = source.split('function escaped(text: string): string {')[1]?.replace(/\}\s*$/, '') ?? '';
  expect(new Function('text', declared)('a+b.c')).toBe('a\\+b\\.c');
});

test('enters values with secrets only on pages of the site', () => {
  const source = sourceOf(
    { do: 'goto', url: 'http://other.test/[secret-uri:TOKEN]' },
    { do: 'type', on: on('Token'), value: 'It is [secret:TOKEN]' },
    { do: 'fill', on: on('[secret:TOKEN]'), value: 'nothing' },
  );
  expect(source).toContain('if (!isOfSite(`http://other.test/');
  expect(source).toContain("await (await onSite(page.getByLabel('Token', { exact: true }))).type(`It is");
  expect(source.match(/onSite\(page/g)).toHaveLength(1);
});

test('declares only helpers that are used', () => {
  const said: ScriptStep = { do: 'expectText', text: 'The rest was sent without failures.', oracle: 'observed' };
  const source = sourceOf({ do: 'goto', url: '/' }, said);
  expect(source).not.toMatch(/const (unique|sent|failures|rest|tabs)|addressOf|isOfSite|onSite/);
  expect(sourceOf({ do: 'expectNoRequest', method: 'POST', path: '/x', oracle: 'specified' })).toContain('const sent');
});

test('checks for write requests since the last action', () => {
  const on = { name: 'Send', ladder: [{ by: 'role' as const, role: 'button', value: 'Send' }] };
  const click: ScriptStep = { do: 'click', on, times: 1 };
  const nothing: ScriptStep = { do: 'expectNoRequest', method: '*', path: '*', oracle: 'specified' };
  const source = sourceOf({ do: 'goto', url: '/' }, click, click, nothing);
  expect(source.match(/begun = sent\.size;/g)).toHaveLength(1);
  expect(source.indexOf('begun = sent.size;')).toBeGreaterThan(source.indexOf('.click()'));
  expect(source).toContain('[...sent.values()].slice(begun).filter(writes)');
  expect(source).toContain('function writes(');
});

test('registers one dialog handler for all steps', () => {
  const on = { name: 'Delete', ladder: [{ by: 'role' as const, role: 'button', value: 'Delete' }] };
  const source = renderSpec({
    ...{ title: 'T', baseUrl: 'http://shop.example' },
    steps: [
      { do: 'click', on, times: 1, confirms: true },
      { do: 'expectDialog', text: 'It is gone', oracle: 'observed' },
    ],
  });
  expect(source.match(/on\('dialog'|once\('dialog'/g)).toHaveLength(1);
  expect(source).toMatch(/spoken\.length = 0;\s+confirms = true;\s+await page/);
});

test('reads text in components and frames', () => {
  const source = sourceOf({ do: 'expectText', text: 'Received', inParts: true, oracle: 'observed' });
  expect(source).toContain("await expect.poll(() => wholeText(page)).toContain('Received');");
  expect(source).toContain('async function wholeText(page: Page)');
  expect(source).toContain('type Page, ');
});

test('escapes page text in comments, strings and templates', () => {
  const evil = `';\n*/ process.exit() //\` ${dollar}{process.exit()}\u2028`;
  const source = renderSpec({
    title: evil,
    baseUrl: 'http://site.test',
    about: evil,
    steps: [{ do: 'expectText', text: `${evil}{{unique}}`, oracle: 'observed' }],
  });
  for (const line of source.split('\n')) expect(line.trim()).not.toMatch(/^(\*\/ )?process\.exit/);
  expect(source).toContain(`\\${dollar}{process.exit()}`);
});

test('matches wildcards, ignores unnamed queries and can require no query', () => {
  expect(pathPattern('/orders/*')).toSatisfy((pattern: RegExp) => pattern.test('/orders/17?from=mail'));
  expect(pathPattern('/orders/*').test('/orders/17/lines')).toBe(false);
  expect(pathPattern('/search?q=tea').test('/search?q=coffee')).toBe(false);
  expect(pathPattern('/faq?q=why?').test('/faq?q=why?')).toBe(true);
  expect(pathPattern('/a*b*c/*/d').test('/aXbYbZc/1/d')).toBe(true);
  expect(pathPattern('/a*b*c/*/d').test('/aXcYb/1/d')).toBe(false);
  expect(['/search', '/search#top', '/search?q=tea'].map((path) => pathPattern('/search?').test(path))).toEqual([
    true,
    true,
    false,
  ]);
});

test('matches many wildcards in linear time', () => {
  const address = `/${'a'.repeat(3000)}`;
  expect(pathPattern(`/${'*a'.repeat(200)}*b`).test(address)).toBe(false);
  expect(pathPattern(`/${'*a'.repeat(200)}`).test(address)).toBe(true);
  expect(filePattern('*'.repeat(250)).test('report.csv')).toBe(true);
  expect(filePattern(`${'*a'.repeat(100)}*b`).test('a'.repeat(250))).toBe(false);
});

test('does not treat a file that starts like a secret mark as a secret', () => {
  const steps: ScriptStep[] = [{ do: 'expectDownload', file: 'app.ini', begins: '[secret:]s]', oracle: 'observed' }];
  expect(renderSpec({ title: 'T', baseUrl: 'http://site.test', steps })).toContain(
    'toMatch(new RegExp(`^\\\\s*\\\\[secrets\\\\]`))',
  );
});
