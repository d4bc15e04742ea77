import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FixtureName, fixtures } from '../sites/forms/index.ts';
import type { FormSite } from '../sites/forms/server.ts';
import { serveSite } from '../sites/serve.ts';
import { type Connection, connectHttp, connectStdio, type Result, startHttp } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { embeddedBytes, isSmallJpeg, readPicture } from '../support/server/pictures.ts';
import { putWizard, wizardEnvironment } from '../support/wizards/wizards.ts';
import { dataOf } from '../support/wizards/wizards-server.ts';

const cleanup = new AsyncDisposableStack();
let folder: Folder;
let env: Record<string, string>;
let site: FormSite;

beforeAll(async () => {
  folder = cleanup.use(await newFolder());
  env = await wizardEnvironment(folder);
  site = cleanup.use(await fixtures['aid-estimator'].start());
  const home = env['ASSAY_HOME'] ?? '';
  await putWizard(home, 'aid-estimator', site.url, 'works');
  const short = cleanup.use(await fixtures['food-benefits'].start());
  await putWizard(home, 'food-benefits', short.url, 'works-in-two-pages');
  const changed = cleanup.use(await fixtures['food-benefits'].start({ trouble: 'blocking', troubleFrom: 2 }));
  await putWizard(home, 'food-benefits', changed.url, 'fails');
});
afterAll(() => cleanup.disposeAsync());

interface Reply {
  tool: string;
  isError?: boolean | undefined;
  structuredContent: Result;
  content: Result[];
}

/** The results of every tool that shows a page: with success, and with an error that shows one. */
async function repliesWithPictures(
  client: Connection,
  { wizard_id, fixture }: { wizard_id: string; fixture: FixtureName },
): Promise<{ replies: Reply[]; session_id: string }> {
  const replies: Reply[] = [];
  const call = async (tool: string, args: object): Promise<Result> => {
    const { isError, structuredContent, content } = await client.callTool({ name: tool, arguments: { ...args } });
    replies.push({ tool, isError, structuredContent, content });
    return structuredContent;
  };
  const { session_id } = await call('federalscout_start_discovery', { url: `${site.url}/` });
  await call('federalscout_click_element', { session_id, selector: 'Start Estimate' });
  await call('federalscout_click_element', { session_id, selector: '#nowhere' });
  await call('federalscout_get_page_info', { session_id });
  const actions = [{ action: 'check', selector: '#fsa_Radio_MaritalStatusSeparated' }];
  await call('federalscout_execute_actions', { session_id, actions });
  await using blocking = await serveSite(() => ({ status: 403, type: 'text/html', body: '<h1>Forbidden</h1>' }));
  await call('federalscout_start_discovery', { url: blocking.url });
  await call('federalrunner_execute_wizard', { wizard_id, user_data: dataOf(fixture) });
  await call('federalrunner_execute_wizard', { wizard_id: 'fails', user_data: dataOf('food-benefits') });
  await call('federalscout_check_wizard', { wizard_id: 'fails' });
  return { replies, session_id };
}

const named =
  (tool: string, number = 0) =>
  (each: Reply, _: number, all: Reply[]) =>
    each.tool === tool && all.filter((one) => one.tool === tool).indexOf(each) === number;

/** What the keys of a result contain for its pictures. */
function referencesIn({ structuredContent: { screenshot, screenshots = [] } }: Reply): string[] {
  return [...(screenshot ? [screenshot] : []), ...screenshots.map(({ image }: Result) => image)];
}

const tokensOf = (value: unknown) => Math.round(JSON.stringify(value).length / 4);

async function connect(transport: string, args: string[] = []): Promise<Connection> {
  const surface = ['--toolsets', 'wizards', ...args];
  if (transport === 'stdio') return connectStdio('modern', { args: surface, env });
  const server = cleanup.use(await startHttp({ args: [...surface, '--allow-addresses', '127.0.0.1'], env }));
  return connectHttp('modern', server);
}

describe.each(['stdio', 'http'])('over %s', (transport) => {
  test('replies have small pictures as resources and one as an image, and no bytes in keys or text', async () => {
    await using client = await connect(transport);
    const wizard = { wizard_id: 'works', fixture: 'aid-estimator' } as const;
    const { replies, session_id } = await repliesWithPictures(client, wizard);
    for (const reply of replies) {
      expect(embeddedBytes(reply), reply.tool).toEqual([]);
      const links = reply.content.flatMap(({ type, uri }) => (type === 'resource_link' ? [uri] : []));
      const images = reply.content.flatMap(({ type, data }) => (type === 'image' ? [data] : []));
      const pictures: Buffer[] = [];
      for (const uri of links) pictures.push(await readPicture(client, uri));
      expect(pictures.length, reply.tool).toBeGreaterThan(0);
      expect(pictures.every(isSmallJpeg), reply.tool).toBe(true);
      expect(images, reply.tool).toEqual([pictures.at(-1)?.toString('base64')]);
      // A failed run has one key for a picture, and links to the pages before it.
      const references = referencesIn(reply);
      expect(links.slice(links.length - references.length), reply.tool).toEqual(references);
    }
    expect(replies.map(({ isError = false }) => isError)).toEqual([
      ...[false, false, true, false, false, true],
      ...[false, true, false],
    ]);
    // A run of seven pages took 131,378 tokens when its pictures were in the result.
    const run = replies.find(named('federalrunner_execute_wizard'));
    expect(run?.structuredContent.screenshots).toHaveLength(8);
    expect(tokensOf(run?.structuredContent)).toBeLessThan(1_500);
    const step = replies.find(named('federalscout_start_discovery'));
    const [shot = ''] = step ? referencesIn(step) : [];
    const page_metadata = replies.find(named('federalscout_get_page_info'))?.structuredContent.proposed_page_metadata;
    await client.callTool({ name: 'federalscout_save_page_metadata', arguments: { session_id, page_metadata } });
    await client.callTool({
      name: 'federalscout_complete_discovery',
      arguments: { session_id, wizard_name: 'Done', wizard_id: `done-${transport}` },
    });
    await expect(client.readResource({ uri: shot }), 'of an ended discovery').rejects.toThrow(/not found/i);
    const page = run ? referencesIn(run)[0] : undefined;
    await rm(join(env['ASSAY_HOME'] ?? '', 'wizards/runs/works'), { recursive: true });
    await expect(client.readResource({ uri: page ?? '' }), 'of a removed run').rejects.toThrow(/not found/i);
  });
});

test.each(['stdio', 'http'])(
  'inline mode has base64 in the specified keys and in the text, over %s',
  async (transport) => {
    await using client = await connect(transport, ['--screenshots', 'inline']);
    const wizard = { wizard_id: 'works-in-two-pages', fixture: 'food-benefits' } as const;
    const { replies } = await repliesWithPictures(client, wizard);
    for (const reply of replies.filter(({ tool }) => tool !== 'federalscout_check_wizard')) {
      const pictures = referencesIn(reply).map((image) => Buffer.from(image, 'base64'));
      expect(pictures.length, reply.tool).toBeGreaterThan(0);
      expect(pictures.every(isSmallJpeg), reply.tool).toBe(true);
      if (reply.tool !== 'federalscout_get_page_info')
        expect(JSON.parse(reply.content[0]?.text), reply.tool).toEqual(reply.structuredContent);
    }
  },
);

describe('an address of no picture', () => {
  let client: Connection;
  beforeAll(async () => {
    client = cleanup.use(await connect('stdio'));
  });

  test.each([
    'wizards://runs/../../etc/passwd',
    'wizards://runs/works.2026-01-01T00-00-00-000Z-00000000.page-1.jpg',
    'wizards://runs/..%2f..%2fworks.json',
    'wizards://discoveries/00000000-0000-0000-0000-000000000000.1.jpg',
  ])('%s is answered with not found', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
  });
});
