import { afterAll, beforeAll, expect, test } from 'vitest';
import { eagerSite, flood, hostileSite } from '../sites/apps/hostile.ts';
import { cleanPage, serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { type Qa, qaOn } from '../support/qa/qa.ts';

let folder: Folder;
let client: Connection;
let qa: Qa;
beforeAll(async () => {
  folder = await newFolder();
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env: await scanEnvironment(folder) });
  qa = qaOn(client);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const newProject = async (): Promise<string> =>
  (await qa.call('qa_project_create', { projectName: 'A site' })).projectId;

async function scan(projectId: string, url: string, more: Record<string, unknown> = {}): Promise<Result> {
  const args = { projectId, url, description: 'Everything', ...more };
  return qa.ended('scan', await qa.call('qa_workflow_start_website_scan', args));
}

async function classesOf(projectId: string): Promise<string[]> {
  const { useCaseCandidates } = await qa.call('qa_use_case_discovery_memory_get', { projectId });
  return useCaseCandidates.map(({ useCase }: Result) => useCase.useCaseClass);
}

test('ends the scan of an endless site in time', async () => {
  await using site = await serveSite(hostileSite);
  const projectId = await newProject();
  const run = await scan(projectId, site.url, { maxPages: 40 });
  expect(run).toMatchObject({ status: 'succeeded', result: { ended: 'nothing new was left' } });
  expect(run.result.pages).toBeLessThan(30);
  const notes = run.result.notes.join('\n');
  expect(notes).toContain('/flood could not be opened: it is too large');
  expect(notes).toContain('it repeats itself');
  expect(site.requests.filter((request) => request.startsWith('GET /calendar')).length).toBeLessThan(8);
  expect(await classesOf(projectId)).toContain('contact');
});

test('does not download a gigabyte as page, sitemap or resource', async () => {
  const made = { page: { bytes: 0 }, map: { bytes: 0 }, picture: { bytes: 0 } };
  await using big = await serveSite(() => ({ body: flood(made.page) }));
  const refused = await scan(await newProject(), big.url);
  expect(refused).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('it is too large'),
    result: { error: 'UPSTREAM_ERROR', details: { field: 'url' } },
  });
  await using site = await serveSite((path) => {
    if (path === '/sitemap.xml') return { type: 'application/xml', body: flood(made.map) };
    if (path === '/big.svg') return { type: 'image/svg+xml', body: flood(made.picture) };
    if (path === '/album') return cleanPage('Album', '<img src="/big.svg" alt="">');
    return path === '/' ? cleanPage('Front', '<a href="/album">Album</a>') : undefined;
  });
  expect(await scan(await newProject(), site.url)).toMatchObject({ status: 'succeeded' });
  // Browser and sockets buffer more than the scan reads.
  for (const [what, { bytes }] of Object.entries(made)) {
    expect(bytes, what).toBeGreaterThan(0);
    expect(bytes, what).toBeLessThan(150_000_000);
  }
});

test('scans a site below a folder and a site that asks for the language first', async () => {
  const contact =
    '<form method="post" action="./"><label>Email <input type="email" name="email" required></label><label>Message <textarea name="message" required></textarea></label><button>Send message</button></form>';
  const pages: Record<string, string> = {
    '/': '<a href="/de/" hreflang="de">Deutsch</a> <a href="/en/" hreflang="en">English</a>',
    // Each exists only with a trailing slash.
    '/en/': '<a href="contact/">Contact</a> <a href="/de/" hreflang="de">Deutsch</a>',
    '/en/contact/': contact,
  };
  await using site = await serveSite((path) => {
    const page = pages[path];
    return page === undefined ? undefined : cleanPage(`Page ${path}`, page);
  });
  for (const address of [site.url, `${site.url}/en/`]) {
    const projectId = await newProject();
    expect(await scan(projectId, address), address).toMatchObject({ status: 'succeeded' });
    expect(await classesOf(projectId), address).toContain('contact');
  }
  expect(site.requests.filter((request) => request.includes('/de'))).toEqual([]);
});

test('does not press buttons that change something, or blocks their requests', async () => {
  await using site = await serveSite(eagerSite);
  const projectId = await newProject();
  const run = await scan(projectId, site.url);
  expect(run.status, run.error).toBe('succeeded');
  const clicked = site.requests.filter((line) => line.startsWith('GET /clicked')).map((line) => line.slice(15));
  expect(clicked.sort()).toEqual(['Add', 'Add+one', 'Create', 'Create+two', 'New+item']);
  expect(site.requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
  for (const path of ['/api/create', '/basket', '/innocent', '/cart/add', '/beacon', '/quietly'])
    expect(
      site.requests.filter((line) => line.includes(path)),
      path,
    ).toEqual([]);
  expect(run.result.notes.join('\n')).toContain('requests that would have changed something were blocked');
  // A button that opens a dialog first is opened and recorded.
  expect(await classesOf(projectId)).toContain('create');
});
