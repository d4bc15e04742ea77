import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GuestBook } from '../sites/guest-book.ts';
import type { Qa } from '../support/qa/qa.ts';
import { startTestedGuestBook, type TestedGuestBook } from '../support/qa/tested-guest-book.ts';

let book: TestedGuestBook;
let call: Qa['call'];
let ended: Qa['ended'];
let refusal: Qa['refusal'];
let replay: TestedGuestBook['replay'];
let traceIn: TestedGuestBook['traceIn'];
let site: GuestBook;
let projectId: string;
let useCaseId: string;

beforeAll(async () => {
  book = await startTestedGuestBook();
  ({ call, ended, refusal, replay, traceIn, site, projectId, useCaseId } = book);
});
afterAll(() => book[Symbol.asyncDispose]());

describe('authored cases and scripts', () => {
  const on = (label: string) => ({ name: label, ladder: [{ by: 'label', value: label }] });
  const entry = [
    { do: 'goto', url: '/write' },
    { do: 'fill', on: on('Full name'), value: 'Grace' },
    { do: 'fill', on: on('Email address'), value: 'grace@example.com' },
    { do: 'click', on: { name: 'Send entry', ladder: [{ by: 'role', role: 'button', value: 'Send entry' }] } },
  ];
  let testCaseId: string;

  test('stores an authored case like a generated one', async () => {
    const asked = {
      projectId,
      useCaseId,
      title: 'Grace writes',
      goal: 'Grace can write',
      expectedResult: 'She is thanked',
    };
    ({ testCaseId } = await call('qa_test_case_upsert', asked));
    expect((await call('qa_test_case_upsert', asked)).testCaseId).toBe(testCaseId);
    const wrong = { ...asked, title: 'Wrong', data: { nickname: 'x' } };
    expect(await refusal('qa_test_case_upsert', wrong)).toMatchObject({
      error: 'INVALID_ARGUMENT',
      details: { field: 'data' },
    });
    // The secrets of the project would go there.
    const elsewhere = { ...asked, title: 'Elsewhere', url: 'http://127.0.0.1:9/login' };
    expect(await refusal('qa_test_case_upsert', elsewhere)).toMatchObject({
      error: 'INVALID_ARGUMENT',
      message: expect.stringContaining(`"http://127.0.0.1:9", but the project and its secrets belong to "${site.url}"`),
      details: { field: 'url' },
    });
  });

  test('activates a script only if it notices a broken page', async () => {
    const upsert = (steps: unknown[]) => call('qa_test_script_upsert', { projectId, testCaseId, steps });
    const blind = await ended(
      'generation',
      await upsert([...entry, { do: 'expectVisible', on: { name: 'main', ladder: [{ by: 'css', value: 'main' }] } }]),
    );
    expect(blind).toMatchObject({ status: 'failed', error: expect.stringContaining('noticed') });
    const sharp = await ended(
      'generation',
      await upsert([...entry, { do: 'expectText', text: 'Your entry was kept, Grace.' }]),
    );
    expect(sharp).toMatchObject({ status: 'succeeded', result: { active: 1 } });
    const late = await ended('generation', await upsert([...entry, { do: 'expectText', text: 'Nothing of the kind' }]));
    expect(late.error).toContain('The active script is unchanged.');
    expect(site.entries).toContainEqual({ name: 'Grace', mail: 'grace@example.com', from: 'Near' });
  });

  test('rejects scripts without expectations, with unknown secrets or a forbidden address', async () => {
    const upsert = (steps: unknown[], more = {}) =>
      refusal('qa_test_script_upsert', { projectId, testCaseId, steps, ...more });
    const sound = [...entry, { do: 'expectText', text: 'Your entry was kept, Grace.' }];
    const nowhere = { error: 'INVALID_ARGUMENT', details: { field: 'baseUrl' } };
    expect(await upsert(sound, { baseUrl: `${site.url}/preview` })).toMatchObject(nowhere);
    expect(await upsert(sound, { baseUrl: 'nonsense' })).toMatchObject({ error: 'INVALID_ARGUMENT' });
    expect(await upsert(entry)).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field: 'steps' } });
    expect(await upsert([{ do: 'dance' }])).toMatchObject({ error: 'INVALID_ARGUMENT' });
    const secret = { do: 'fillSecret', on: on('Full name'), secret: 'NOBODY' };
    expect(await upsert([...entry, secret, { do: 'expectText', text: 'x' }])).toMatchObject({
      error: 'INVALID_ARGUMENT',
    });
  });

  test('redacts secrets and reports a missing one', async () => {
    const value = 'Hopper-4711-Grace';
    const { secretId } = await call('qa_secret_create', { projectId, name: 'VISITOR', value });
    const steps = [
      entry[0],
      { do: 'fillSecret', on: on('Full name'), secret: 'VISITOR' },
      entry[2],
      entry[3],
      { do: 'expectText', text: 'Your entry was kept, [secret:VISITOR].' },
    ];
    await ended('generation', await call('qa_test_script_upsert', { projectId, testCaseId, steps }));
    const { testScriptId } = await call('qa_test_case_get', { testCaseId });
    const script = await call('qa_test_script_get', { testScriptId });
    expect(script.spec).toContain("fill(process.env['VISITOR'] ?? '')");
    // The name is kept in the place of the value, for us as for plain Playwright.
    expect(JSON.stringify(script.steps)).toContain('Your entry was kept, [secret:VISITOR].');
    expect(script.spec).toMatch(/`Your entry was kept, \$\{process\.env\['VISITOR'\] \?\? ''\}\.`/);
    const passed = await replay(testScriptId);
    expect(passed).toMatchObject({ verdict: 'passed' });
    expect(site.entries.at(-1)?.name).toBe(value);
    site.is.failing = true;
    const failed = await replay(testScriptId);
    site.is.failing = false;
    expect(JSON.stringify([script, passed, failed])).not.toContain(value);
    const trace = await traceIn(failed.result.attempts[1].artifacts);
    expect(trace).toContain('Send entry');
    expect(trace).not.toContain(value);
    // What is recorded of a first attempt would lie about as it is.
    expect(failed.result.attempts[0].artifacts).not.toHaveProperty('trace');
    await call('qa_secret_delete', { secretId });
    const gone = await replay(testScriptId);
    expect(gone).toMatchObject({
      status: 'failed',
      verdict: 'inconclusive',
      error: expect.stringContaining('VISITOR'),
    });
  });
});
