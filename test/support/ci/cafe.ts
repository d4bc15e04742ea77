import { type ServedSite, serveSite } from '../../sites/serve.ts';
import { scanEnvironment } from '../accessibility/accessibility.ts';
import { callOn, connectHttp, type HttpServer, startHttp } from '../assay.ts';
import { type Folder, newFolder } from '../folders.ts';
import { addScripts, type KnownScript } from '../qa/qa.ts';

const TOKEN = 'a-token-for-the-pipeline';

/** The site of a café with a page for guests. The broken site shows another text on that page. */
export function cafe(isBroken: () => boolean): Promise<ServedSite> {
  const page = (body: string) => `<!doctype html><html lang="en"><title>Café</title><body><main>${body}</main></html>`;
  return serveSite((path) => {
    if (path === '/') return page('<h1>Café</h1><p>Open from nine to five</p><a href="/book">Book a table</a>');
    if (path !== '/book') return undefined;
    return isBroken()
      ? { status: 500, body: page('<h1>Sorry</h1><p>::error::owned</p><p>##vso[task.complete]</p>') }
      : page('<h1>Book a table</h1><p>Ring us up</p>');
  });
}

export const cafeScripts: KnownScript[] = [
  {
    name: 'See when it is open',
    steps: [
      { do: 'goto', url: '/' },
      { do: 'expectText', text: 'Open from nine to five', oracle: 'observed' },
    ],
  },
  {
    name: 'Book a table',
    steps: [
      { do: 'goto', url: '/' },
      {
        do: 'click',
        on: { name: 'Book a table', ladder: [{ by: 'role', role: 'link', value: 'Book a table' }] },
        times: 1,
      },
      { do: 'expectText', text: 'Ring us up', oracle: 'observed' },
    ],
  },
];

/** A server with the café as a project, and its site twice: as tested, and broken. */
export interface TestedCafe extends AsyncDisposable {
  folder: Folder;
  site: ServedSite;
  broken: ServedSite;
  server: HttpServer;
  /** For processes on the same home. */
  env: Record<string, string>;
  /** For remote clients of the server. */
  remote: Record<string, string>;
  projectId: string;
  scripts: string[];
}

export async function startTestedCafe(): Promise<TestedCafe> {
  const folder = await newFolder();
  const [site, broken] = await Promise.all([cafe(() => false), cafe(() => true)]);
  const env = await scanEnvironment(folder);
  const server = await startHttp({
    args: ['--toolsets', 'qa', '--folders', '.', '--allow-addresses', '127.0.0.1'],
    cwd: folder.path,
    env: { ...env, ASSAY_TOKEN: TOKEN },
  });
  await using client = await connectHttp('modern', server);
  const { projectId } = await callOn(client)('qa_project_create', { projectName: 'Café', url: site.url });
  const scripts = await addScripts(env['ASSAY_HOME'] ?? '', projectId, site.url, cafeScripts);
  const remote = { ASSAY_SERVER: server.url, ASSAY_TOKEN: TOKEN, ASSAY_HOME: `${folder.path}/no-home` };
  return {
    ...{ folder, site, broken, server, env, remote, projectId, scripts },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await broken[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
