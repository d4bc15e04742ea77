import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanPage, type ServedSite, type SiteHandler, serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { ranAlone } from '../support/qa/plain-playwright.ts';
import { type Qa, qaOn } from '../support/qa/qa.ts';

/** What the site does wrong: nothing at first. */
const is = { unfiltered: false, withoutFile: false };
const settings = { club: 'Rowing club', motto: 'Onwards' };
const members = ['Bea', 'Cem', 'Dora', 'Eike', 'Fina', 'Gero'].map((name, i) => ({
  name,
  status: i % 2 === 0 ? 'active' : 'resting',
}));
const PER_PAGE = 4;

const select = (some: string) =>
  `<select name="status">${some}<option>active</option><option>resting</option></select>`;

const pages: Record<
  string,
  (query: URLSearchParams, sent: URLSearchParams) => Promise<Exclude<Awaited<ReturnType<SiteHandler>>, undefined>>
> = {
  '/': async () =>
    cleanPage(
      'Club',
      '<nav><a href="/settings">Settings</a> <a href="/members">Members</a> <a href="/members/new">New member</a></nav>',
    ),
  '/settings': async (query, sent) => {
    if (sent.has('club')) {
      settings.club = sent.get('club') ?? '';
      settings.motto = sent.get('motto') ?? '';
      return { status: 303, headers: { location: '/settings?saved' } };
    }
    // Long enough for a concurrent script to save its data, if one runs.
    if (query.has('saved')) await pause(150);
    return cleanPage(
      'Settings',
      `${query.has('saved') ? '<p role="status">The settings were saved.</p>' : ''}<form method="post" action="/settings">
       <label>Name of the club <input name="club" required maxlength="40" value="${settings.club}"></label>
       <label>Motto <input name="motto" value="${settings.motto}"></label><button>Save settings</button></form>`,
    );
  },
  '/members': async (query, sent) => {
    const name = sent.get('name');
    if (name) {
      members.push({ name, status: sent.get('status') ?? '' });
      return { status: 303, headers: { location: '/members/new?made' } };
    }
    const wanted = is.unfiltered ? '' : query.get('status');
    const found = members.filter(({ status }) => !wanted || status === wanted);
    const rows = found
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .slice(0, PER_PAGE)
      .map((one) => `<tr><td>${one.name}</td><td>${one.status}</td></tr>`);
    return cleanPage(
      'Members',
      `<form><label>Status ${select('<option value="">All</option>')}</label><button>Filter</button></form>
       <p role="status">${found.length} members</p><p><a href="/members.csv" download>All members as a table</a></p>
       <table><thead><tr><th>Name</th><th>State</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
    );
  },
  '/members.csv': async () => {
    const body = ['Name;State', ...members.map(({ name, status }) => `${name};${status}`)].join('\n');
    return is.withoutFile
      ? cleanPage('Log in')
      : { type: 'text/csv', headers: { 'content-disposition': 'attachment' }, body };
  },
  '/members/new': async (query) =>
    cleanPage(
      'New member',
      `${query.has('made') ? '<p role="status">The member was added.</p>' : ''}<form method="post" action="/members">
       <label>Name <input name="name" required></label><label>Status ${select('')}</label><button>Add member</button></form>`,
    ),
};
const answer = async (path: string, request: IncomingMessage) => {
  const { pathname, searchParams } = new URL(path, 'http://club.test');
  return pages[pathname]?.(searchParams, new URLSearchParams(await text(request)));
};

let folder: Folder;
let site: ServedSite;
let client: Connection;
let qa: Qa;
let projectId: string;
let generated: Result;

beforeAll(async () => {
  folder = await newFolder();
  site = await serveSite(answer);
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env: await scanEnvironment(folder) });
  qa = qaOn(client);
  projectId = await qa.approvedAll('Club', site.url);
  await qa.ended('detection', await qa.call('qa_workflow_start_test_case_detection', { projectId }));
  const generation = await qa.call('qa_workflow_start_test_script_generation', { projectId });
  generated = await qa.ended('generation', generation);
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const scriptsFor = (words: RegExp): Result[] =>
  generated.result.scripts.filter(({ title, status }: Result) => words.test(title) && status === 'active');

async function failing(args: Record<string, unknown>): Promise<string[]> {
  const started = await qa.startBulk({ projectId, ...args });
  await qa.ended('bulk', started);
  const { failures } = await qa.summary(started.runBatchId);
  return failures.map(({ name, error }: Result) => `${name}: ${error}`);
}

test('runs scripts that change the same settings in sequence', async () => {
  expect(generated.result.scripts.filter(({ status }: Result) => status !== 'active')).toEqual([]);
  expect(scriptsFor(/settings/i).length).toBeGreaterThan(3);
  expect(await failing({ workers: 4, repeatPerTestCase: 2 })).toEqual([]);
});

test('runs them in sequence under plain Playwright too', async () => {
  const path = join(folder.path, 'exported');
  const { files, tests } = await qa.call('qa_test_script_export', { projectId, path });
  const inTurn = files.filter((file: string) => file.startsWith('one-at-a-time/'));
  expect(inTurn.length).toBe(scriptsFor(/settings/i).length);
  expect(inTurn.join()).not.toContain('member');
  expect(await ranAlone(path, { args: ['--workers=4'] })).toContain(`${tests} passed`);
});

test('expects the filter criterion, not the rows, of a changing list', async () => {
  const [resting] = scriptsFor(/^Narrow members: Status resting/);
  const { steps } = await qa.call('qa_test_script_get', { testScriptId: resting?.testScriptId });
  expect(steps).toContainEqual({ do: 'expectEach', role: 'row', text: 'resting', oracle: 'observed' });
  expect(JSON.stringify(steps)).not.toMatch(/\d members|Cem/);
  for (let i = 0; i < 6; i++) members.push({ name: `Aaron ${i}`, status: i % 2 === 0 ? 'active' : 'resting' });
  expect(await failing({})).toEqual([]);
  is.unfiltered = true;
  expect(await failing({ testCaseIds: [resting?.testCaseId] })).toEqual([
    expect.stringMatching(/each row contains “resting”.*one says "[^"]*active"/),
  ]);
});

test('expects a download to arrive with its recorded name and beginning', async () => {
  const [file] = scriptsFor(/^Download a file.*: All members/);
  const { steps } = await qa.call('qa_test_script_get', { testScriptId: file?.testScriptId });
  expect(steps).toContainEqual({
    ...{ do: 'expectDownload', file: 'members.csv', begins: 'Name;State', oracle: 'observed' },
  });
  is.withoutFile = true;
  expect(await failing({ testCaseIds: [file?.testCaseId] })).toEqual([
    expect.stringContaining('it begins with "<!DOC'),
  ]);
});
