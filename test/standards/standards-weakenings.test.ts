import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { runAssay } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import type { Repo } from '../support/git/repos.ts';
import { acceptsReports, governedRepo, putAtBase, soundReports, specText } from '../support/standards/governed-repo.ts';
import { criterion, standardsServer } from '../support/standards/standards.ts';

const { evaluate } = standardsServer();

const oldTests = `import { expect, test } from 'vitest';
import { sum, old } from '../src/sum.js';
test('keeps', () => { expect(sum(2, 2)).toBe(4); expect(sum(0, 0)).toBe(0); });
test('joins', () => { expect(old('a', 'b')).toEqual(['a', 'b']); });
`;
const base = {
  'test/old.test.js': oldTests,
  'src/old.js': 'export function old(a, b) {\n  return [a, b];\n}\n',
  'test/__snapshots__/old.test.js.snap': 'exports[`a`] = `1`;\n',
  'package.json': '{"scripts":{"test":"vitest run"}}\n',
  'vitest.config.ts': 'export default { test: { coverage: { thresholds: { lines: 90 }, exclude: ["dist"] } } };\n',
};

async function withBase(): Promise<Repo> {
  const repo = await governedRepo({ scope: { in: ['src/', 'test/', 'api.yaml', '*.*'] } });
  await putAtBase(repo, base);
  await repo.put(soundReports);
  return repo;
}

const wideScope = { scope: { in: ['src/', 'test/', 'api.yaml', '*.*', 'docs/'] } };
const sameScope = { scope: { in: ['src/', 'test/', 'api.yaml', '*.*'] } };
const shorter = (search: string | RegExp, replacement: string) => ({
  'test/old.test.js': oldTests.replace(search, replacement),
});

describe('caws_evaluate', () => {
  test.each<[what: string, files: Record<string, string | null>, kind: string]>([
    ['a gate that only warns', { '.caws/policy.yaml': 'gates: { test_results: { mode: warn } }\n' }, 'gate_relaxed'],
    [
      'a lower threshold',
      { '.caws/policy.yaml': 'risk_tiers: { 2: { coverage_threshold: 75 } }\n' },
      'threshold_lowered',
    ],
    ['a larger budget', { '.caws/policy.yaml': 'risk_tiers: { 2: { max_loc: 4000 } }\n' }, 'budget_raised'],
    ['another base', { '.caws/policy.yaml': 'base: HEAD\n' }, 'rule_relaxed'],
    ['a laxer tier', { '.caws/working-spec.yaml': specText({ ...sameScope, risk_tier: 3 }) }, 'tier_lowered'],
    ['a laxer mode', { '.caws/working-spec.yaml': specText({ ...sameScope, mode: 'chore' }) }, 'mode_changed'],
    [
      'a removed criterion under a new id of the spec',
      {
        '.caws/working-spec.yaml': specText({ ...sameScope, id: 'FEAT-0002' }).replace(
          / +- id: A2[\s\S]*?then: .*\n/,
          '',
        ),
      },
      'criterion_removed',
    ],
    [
      'another text of a criterion',
      { '.caws/working-spec.yaml': specText(sameScope).replace('then: an error', 'then: nothing') },
      'criterion_changed',
    ],
    [
      'a wider scope that is used',
      { '.caws/working-spec.yaml': specText(wideScope), 'docs/a.md': 'text\n' },
      'scope_widened',
    ],
    ['a deleted test', shorter(/test\('keeps'.*\n/, ''), 'test_deleted'],
    ['a deleted test file', { 'test/old.test.js': null }, 'test_deleted'],
    [
      'a test file under a name that does not run',
      { 'test/old.test.js': null, 'test/old.off': oldTests },
      'test_deleted',
    ],
    ['a skipped test', shorter("test('keeps'", "test.skip('keeps'"), 'test_skipped'],
    ['a focused test', shorter("test('keeps'", "test.only('keeps'"), 'test_focused'],
    ['an emptied test', shorter(/(test\('keeps', \(\) => \{).*\}/, '$1 sum(2, 2); }'), 'test_emptied'],
    ['a test that compares constants', shorter(/sum\(2, 2\)\).*\}/, 'true).toBe(true); }'), 'test_emptied'],
    ['a swallowed failure', shorter(/(test\('keeps', \(\) => \{)(.*)\}\)/, '$1 try {$2} catch {} })'), 'test_emptied'],
    [
      'a test that only looks for a value',
      shorter(/expect\(sum\(2, 2\)\).*\}/, 'expect(sum(2, 2)).toBeDefined(); }'),
      'assertions_removed',
    ],
    [
      'a new test without a subject',
      { 'test/new.test.js': "test('is new', () => { expect(1).toBe(1); });\n" },
      'test_tautological',
    ],
    [
      'an ignore pragma',
      { 'src/sum.js': '/* v8 ignore next */\nexport const sum = (a, b) => a + b;\n' },
      'pragma_added',
    ],
    ['a rewritten snapshot', { 'test/__snapshots__/old.test.js.snap': 'exports[`a`] = `2`;\n' }, 'snapshot_rewritten'],
    ['another test command', { 'package.json': '{"scripts":{"test":"vitest run || true"}}\n' }, 'test_command_changed'],
    [
      'a lower threshold of the test tool',
      { 'vitest.config.ts': base['vitest.config.ts'].replace('90', '50') },
      'threshold_lowered',
    ],
    [
      'an exclusion from coverage',
      { 'vitest.config.ts': base['vitest.config.ts'].replace('"dist"', '"dist", "src/sum.js"') },
      'configuration_relaxed',
    ],
  ])('fails for %s', async (_, files, kind) => {
    await using repo = await withBase();
    await repo.put({ ...files, ...soundReports });
    const evaluation = await evaluate(repo);
    expect(evaluation.weakenings).toContainEqual(expect.objectContaining({ kind, severity: 'weakening' }));
    expect(evaluation.overall_status).toBe('quality_failed');
    expect(criterion(evaluation, 'weakening_check')).toMatchObject({ status: 'failed', blocking: true });
  });

  test.each<[what: string, files: Record<string, string | null>]>([
    ['a test under another title', shorter("'keeps'", "'adds small numbers'")],
    ['a test in another file', { 'test/old.test.js': null, 'test/moved.test.js': oldTests }],
    [
      'tests merged into a table',
      shorter(
        "test('keeps', () => { expect(sum(2, 2)).toBe(4); expect(sum(0, 0)).toBe(0); })",
        "test.each([[2, 4], [0, 0]])('sums %i', (a, b) => { expect(sum(a, a)).toBe(b); })",
      ),
    ],
    ['a test deleted with its subject', { 'src/old.js': null, ...shorter(/test\('joins'.*\n/, '') }],
    ['a new snapshot', { 'test/__snapshots__/new.test.js.snap': 'exports[`b`] = `1`;\n' }],
    ['a report of the test command', { 'package.json': '{"scripts":{"test":"vitest run --coverage"}}\n' }],
    ['a stricter policy', { '.caws/policy.yaml': 'risk_tiers: { 1: { coverage_threshold: 95 } }\n' }],
    [
      'another criterion',
      { '.caws/working-spec.yaml': specText(sameScope).replace('contracts:', 'threats: [none]\ncontracts:') },
    ],
    ['a wider scope that is not used', { '.caws/working-spec.yaml': specText(wideScope) }],
  ])('passes %s', async (_, files) => {
    await using repo = await withBase();
    await repo.put({ ...files, ...soundReports });
    const evaluation = await evaluate(repo);
    expect(evaluation.weakenings.filter(({ severity }: { severity: string }) => severity === 'weakening')).toEqual([]);
    expect(criterion(evaluation, 'weakening_check')).toMatchObject({ status: 'passed' });
  });

  test('applies the rules of the base to a change that relaxes them', async () => {
    await using repo = await withBase();
    await repo.put({
      '.caws/working-spec.yaml': specText({ ...sameScope, risk_tier: 3, contracts: [] }),
      ...soundReports,
    });
    const evaluation = await evaluate(repo);
    expect(evaluation.spec).toMatchObject({ tier: 2 });
    expect(criterion(evaluation, 'contract_compliance')).toMatchObject({ actual: 1 });
  });

  test('names edits that the index hides from git', async () => {
    await using repo = await withBase();
    repo.git('update-index', '--assume-unchanged', 'src/old.js');
    await repo.put({ 'src/old.js': 'export const old = () => 1;\n', ...soundReports });
    expect((await evaluate(repo)).weakenings).toMatchObject([{ kind: 'change_hidden', file: 'src/old.js' }]);
  });

  test('reads the base itself, not a commit that replaces it', async () => {
    await using repo = await withBase();
    const before = repo.git('rev-parse', 'main');
    await repo.commit('test: drop a test', shorter(/test\('keeps'.*\n/, ''));
    repo.git('replace', before, 'HEAD');
    await repo.put(soundReports);
    expect((await evaluate(repo)).weakenings).toContainEqual(expect.objectContaining({ kind: 'test_deleted' }));
  });

  test('is approved with assay approve by a key of the base policy', async () => {
    await using keys = await newFolder();
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const keyFile = await keys.write('key.pem', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    const known = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    await using repo = await withBase();
    await putAtBase(repo, {
      '.caws/policy.yaml': `${acceptsReports}approvers: [{ name: Lead, public_key: ${known} }]\n`,
    });
    await repo.put({ ...shorter(/test\('keeps'.*\n/, ''), ...soundReports });
    const approve = (...args: string[]) => runAssay(['approve', ...args], { cwd: repo.path });
    expect((await approve()).stdout).toMatch(/^[0-9a-f]{12} test_deleted test\/old\.test\.js:3: .*\nNothing is signed/);
    expect((await approve('--key', keyFile)).code).toBe(2);
    expect((await approve('--key', keyFile, '--reason', 'Moved')).stdout).toContain('Approved 1 in .caws/approvals/');
    expect(await evaluate(repo)).toMatchObject({
      overall_status: 'quality_passed',
      weakenings: [{ kind: 'test_deleted', approved_by: 'Lead' }],
    });
    expect((await approve()).stdout).toContain('weakens nothing that needs an approval');
  });

  test('accepts a weakening that an approver of the base signed, not one that its author signed', async () => {
    const lead = generateKeyPairSync('ed25519');
    const publicKey = lead.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const policy = (email: string) =>
      `evidence: { unattested: accept }\napprovers:\n  - { name: Lead, email: ${email}, public_key: ${publicKey} }\n`;
    await using repo = await withBase();
    await putAtBase(repo, { '.caws/policy.yaml': policy('lead@example.test') });
    await repo.put({ ...shorter(/test\('keeps'.*\n/, ''), ...soundReports });
    const [weakening] = (await evaluate(repo)).weakenings;
    const approve = (key: typeof lead.privateKey) => {
      const statement = {
        _type: 'https://in-toto.io/Statement/v1',
        subject: [{ name: weakening.kind, digest: { sha256: weakening.id } }],
        predicateType: 'urn:assay:standards:approval:v1',
        predicate: { reason: 'The test moved to another repository', approvedAt: '2026-11-20T00:00:00.000Z' },
      };
      const payload = Buffer.from(JSON.stringify(statement));
      const type = 'application/vnd.in-toto+json';
      const signed = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
      const sig = sign(null, signed, key).toString('base64');
      return JSON.stringify({ payloadType: type, payload: payload.toString('base64'), signatures: [{ sig }] });
    };
    await repo.put({ '.caws/approvals/a.json': approve(generateKeyPairSync('ed25519').privateKey) });
    expect((await evaluate(repo)).overall_status).toBe('quality_failed');
    await repo.put({ '.caws/approvals/a.json': approve(lead.privateKey) });
    expect(await evaluate(repo)).toMatchObject({
      overall_status: 'quality_passed',
      weakenings: [{ kind: 'test_deleted', approved_by: 'Lead' }],
    });
    await putAtBase(repo, { '.caws/policy.yaml': policy('tester@example.test') });
    await repo.commit('feat: work of the lead', soundReports);
    expect((await evaluate(repo)).overall_status).toBe('quality_failed');
  });
});
