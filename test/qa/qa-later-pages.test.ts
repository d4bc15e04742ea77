import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { cleanPage, type ServedSite, serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { type Qa, qaOn } from '../support/qa/qa.ts';
import { inStore } from '../support/qa/qa-results.ts';

/** What the site does wrong: nothing at first. */
const is = { unrequired: false, alwaysArt: false };

let folder: Folder;
let env: Record<string, string>;
let site: ServedSite;
let client: Connection;
let qa: Qa;
let projectId: string;
let generated: Result;

const stepped = (step: number, body: string) =>
  cleanPage('Apply for a grant', `<h2>Step ${step} of 3</h2><p>Step ${step} of 3</p>${body}`);
const form = (action: string, fields: string, button: string) =>
  `<form method="post" action="${action}">${fields}<button>${button}</button></form>`;

const pages: Record<string, (sent: URLSearchParams) => string | undefined> = {
  '/': () =>
    stepped(1, form('/apply/2', '<label>Title of your project <input name="project" required></label>', 'Continue')),
  '/apply/2': (sent) =>
    stepped(
      2,
      form(
        '/apply/3',
        `<label>Remarks on ${sent.get('project')} <input name="remarks" maxlength="20"></label>
         <label>Amount <input type="number" name="amount" min="100" max="900"${is.unrequired ? '' : ' required'}></label>
         <label>Kind <select name="kind"><option>Art</option><option>Sport</option><option>Music</option></select></label>`,
        'Continue',
      ),
    ),
  '/apply/3': (sent) => {
    const kind = is.alwaysArt ? 'Art' : sent.get('kind');
    const hidden = `<input type="hidden" name="kind" value="${kind}">`;
    return stepped(3, `<p>A grant for ${kind} is what you ask for.</p>${form('/apply/4', hidden, 'Send')}`);
  },
  '/apply/4': (sent) => cleanPage('Thank you', `<p>Your application for ${sent.get('kind')} was received.</p>`),
};

const answer = async (path: string, request: IncomingMessage) =>
  pages[path]?.(new URLSearchParams(await text(request)));

beforeAll(async () => {
  folder = await newFolder();
  site = await serveSite(answer);
  env = await scanEnvironment(folder);
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  qa = qaOn(client);
  projectId = await qa.approvedAll('Grants', site.url);
  const detection = await qa.call('qa_workflow_start_test_case_detection', { projectId });
  const { result } = await qa.ended('detection', detection);
  expect(JSON.stringify(result.detected)).toContain('Pages after the first are not known yet');
  const generation = await qa.call('qa_workflow_start_test_script_generation', { projectId });
  generated = await qa.ended('generation', generation);
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const aboutPageTwo = () => generated.result.scripts.filter(({ title }: Result) => title.includes(', page 2: '));

/** Which scripts about the second page fail now. */
async function failing(): Promise<string[]> {
  const testCaseIds = aboutPageTwo().map(({ testCaseId }: Result) => testCaseId);
  const started = await qa.startBulk({ projectId, testCaseIds });
  await qa.ended('bulk', started);
  const { failures } = await qa.summary(started.runBatchId);
  return failures.map(({ name }: Result) => name);
}

test('tests the fields of a later page after the pages before it', () => {
  const titles = aboutPageTwo().map(({ title, status }: Result) => `${status} ${title.replace(/^.*, page 2: /, '')}`);
  expect(titles).toEqual(
    expect.arrayContaining([
      'active Amount left empty',
      expect.stringMatching(/^active Kind/),
      expect.stringMatching(/^active remarks 21/),
    ]),
  );
  expect(titles.filter((title: string) => title.startsWith('failed'))).toEqual([]);
  // What the page repeats of what one run has entered is no name for all the others.
  expect(titles.filter((title: string) => title.includes('Remarks on'))).toEqual([]);
});

test('adds no duplicate cases for later pages', async () => {
  const before = await qa.call('qa_test_case_list', { projectId });
  const detection = await qa.call('qa_workflow_start_test_case_detection', { projectId });
  const { result } = await qa.ended('detection', detection);
  expect(result.added).toBe(0);
  expect(JSON.stringify(result)).not.toContain('Pages after the first');
  expect((await qa.call('qa_test_case_list', { projectId })).pagination).toEqual(before.pagination);
});

test('records a form again if its later pages are unknown', async () => {
  await inStore(env['ASSAY_HOME'] ?? '', async ({ useCases }) => {
    for (const { id, details } of await useCases.list({ projectId })) {
      const { laterPages: _, ...known } = z.record(z.string(), z.json()).parse(details);
      await useCases.update(id, { details: known });
    }
  });
  const started = await qa.call('qa_workflow_start_test_script_generation', { projectId });
  expect(await qa.ended('generation', started)).toMatchObject({ result: { testCases: 1, active: 1 } });
  const again = await qa.call('qa_workflow_start_test_script_generation', { projectId });
  expect(await qa.ended('generation', again)).toMatchObject({ result: { testCases: 0 } });
});

test('detects defects of a later page only in its own scripts', async () => {
  is.unrequired = true;
  is.alwaysArt = true;
  const titles = (await failing()).map((title) => title.replace(/^.*, page 2: /, ''));
  expect(titles).toEqual(expect.arrayContaining(['Amount left empty', expect.stringMatching(/^Kind (Sport|Music)/)]));
  for (const title of titles) expect(title).toMatch(/^Amount left empty$|^Kind (Sport|Music)/);
});
