import { afterAll, beforeAll, expect, test } from 'vitest';
import { eagerSite, flood, hostileSite } from './sites/apps/hostile.ts';
import { cleanPage, serveSite } from './sites/serve.ts';
import { scanEnvironment } from './support/accessibility.ts';
import { type Connection, connectStdio, type Result } from './support/assay.ts';
import { type Folder, newFolder } from './support/folders.ts';
import { type Qa, qaOn } from './support/qa.ts';

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
  const wishes = { projectId, url, description: 'Everything', ...more };
  return qa.ended('scan', await qa.call('qa_workflow_start_website_scan', wishes));
}

async function classesOf(projectId: string): Promise<string[]> {
  const { useCaseCandidates } = await qa.call('qa_use_case_discovery_memory_get', { projectId });
  return useCaseCandidates.map(({ useCase }: Result) => useCase.useCaseClass);
}

test('a site without end, or without bounds, is left in time', async () => {
  await using site = await serveSite(hostileSite);
  const projectId = await newProject();
  const run = await scan(projectId, site.url, { maxPages: 40 });
  expect(run).toMatchObject({ status: 'succeeded', result: { ended: 'nothing new was left' } });
  expect(run.result.pages).toBeLessThan(30);
  const notes = run.result.notes.join('\n');
  expect(notes).toContain('/flood could not be looked at: it is too big to be read');
  expect(notes).toContain('it repeats itself');
  expect(site.requests.filter((request) => request.startsWith('GET /calendar')).length).toBeLessThan(8);
  expect(await classesOf(projectId)).toContain('contact');
});

test('a gigabyte is not taken in, be it the first page, its sitemap, or something on it', async () => {
  const made = { page: { bytes: 0 }, map: { bytes: 0 }, picture: { bytes: 0 } };
  await using big = await serveSite(() => ({ body: flood(made.page) }));
  const refused = await scan(await newProject(), big.url);
  expect(refused).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('it is too big to be read'),
    result: { error: 'UPSTREAM_ERROR', details: { field: 'url' } },
  });
  await using site = await serveSite((path) => {
    if (path === '/sitemap.xml') return { type: 'application/xml', body: flood(made.map) };
    if (path === '/big.svg') return { type: 'image/svg+xml', body: flood(made.picture) };
    if (path === '/album') return cleanPage('Album', '<img src="/big.svg" alt="">');
    return path === '/' ? cleanPage('Front', '<a href="/album">Album</a>') : undefined;
  });
  expect(await scan(await newProject(), site.url)).toMatchObject({ status: 'succeeded' });
  // A browser and the connections between hold some more than what is read.
  for (const [what, { bytes }] of Object.entries(made)) {
    expect(bytes, what).toBeGreaterThan(0);
    expect(bytes, what).toBeLessThan(150_000_000);
  }
});

test('a site that lives below a folder, or asks for the language first, is scanned', async () => {
  const contact =
    '<form method="post" action="./"><label>Email <input type="email" name="email" required></label><label>Message <textarea name="message" required></textarea></label><button>Send message</button></form>';
  const pages: Record<string, string> = {
    '/': '<a href="/de/" hreflang="de">Deutsch</a> <a href="/en/" hreflang="en">English</a>',
    // Each is there with a slash at its end, and not without.
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

test('a button that would change something at once is not pressed, or what it asks for is not sent', async () => {
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
  expect(run.result.notes.join('\n')).toContain('requests that would have changed something were not sent');
  // What opens and asks first is opened and seen.
  expect(await classesOf(projectId)).toContain('create');
});
