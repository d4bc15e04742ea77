import { afterAll, beforeAll, expect } from 'vitest';
import { type ServedSite, serveSite } from '../../sites/serve.ts';
import { scanEnvironment } from '../accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result } from '../assay.ts';
import { type Folder, newFolder } from '../folders.ts';
import { readLongReply } from '../server/long-reply.ts';
import { readPicture } from '../server/pictures.ts';

interface Called {
  data: Result;
  text: string;
  images: Buffer[];
  isError: boolean;
}

export async function askOn(on: Connection, name: string, args: Record<string, unknown>): Promise<Called> {
  const result = await on.callTool({ name, arguments: args });
  const [first] = result.content;
  return {
    data: result.structuredContent,
    text: first?.type === 'text' ? first.text : '',
    images: result.content.flatMap((block) => (block.type === 'image' ? [Buffer.from(block.data, 'base64')] : [])),
    isError: result.isError === true,
  };
}

export const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const html = (body: string) => ({
  body: `<!doctype html><html lang="en"><title>Trap</title><body>${body}</body></html>`,
});

const pages: Record<string, string> = {
  '/many': Array.from({ length: 500 }, (_, i) => `<label for="f${i}">Field ${i}</label><input id="f${i}">`).join(''),
  '/mistakes': Array.from(
    { length: 150 },
    (_, i) =>
      `<label for="f${i}">Field ${i}</label><input id="f${i}" aria-invalid="true" aria-describedby="e${i}"><p id="e${i}" class="error">${`Enter a valid number for question ${i}. `.repeat(15)}</p>`,
  ).join(''),
  '/options': `<label>Town <select id="town">${Array.from({ length: 5_000 }, (_, i) => `<option value="${i}">Town ${i}</option>`).join('')}</select></label><button>Continue</button>`,
  '/household': `<h1>Household</h1><form><label>County <select id="county">${Array.from({ length: 60 }, (_, i) => `<option>County ${i}</option>`).join('')}</select></label>
    ${Array.from({ length: 40 }, (_, i) => `<label>${`Income of person ${i} in the last year, before taxes. `.repeat(5)}<input id="p${i}"></label>`).join('')}<button>Continue</button></form>`,
  '/odd': `<form><label>שם פרטי <input id="he" name="first"></label><label>Mood 😀 <input></label><label>Story <textarea></textarea></label>
    <label>Secret <input type="password" value="hunter2"></label><button>Continue</button></form>`,
  '/twins': '<p>Two of them</p><button>Next</button><button>Next</button><button id="other">Something else</button>',
  '/covered': `<button id="go">Continue</button><div class="cover" style="position:fixed;inset:0;background:#0008"></div>`,
  '/leaves': `<button onclick="setTimeout(() => { location.href = '/arrived' })">Go</button>`,
  '/arrived': '<h1>Arrived</h1>',
  '/beside': `<button id="dialog" onclick="alert('Are you sure?')">Ask</button>
    <a id="download" href="/file.csv" download>Download</a><button id="tab" onclick="window.open('/arrived')">Tab</button>`,
  '/depends': `<h1>Taxes</h1><form><fieldset><legend>Did you file taxes?</legend>
      <label><input type="radio" name="filed" value="yes" onchange="more.hidden = false"> Yes</label>
      <label><input type="radio" name="filed" value="no" onchange="more.hidden = true"> No</label></fieldset>
    <div id="more" hidden><label>Income <input name="income" inputmode="numeric"></label></div><button>Continue</button></form>`,
};

/** A server and a site with unusual pages for all tests of a file, with helpers to call tools. */
export function wizardScout() {
  let folder: Folder;
  let env: Record<string, string>;
  let client: Connection;
  let traps: ServedSite;
  beforeAll(async () => {
    folder = await newFolder();
    env = await scanEnvironment(folder);
    client = await connectStdio('modern', { env });
    traps = await serveSite((path) => {
      if (path === '/file.csv') return { type: 'text/csv', body: 'a,b' };
      if (path === '/blocked') return { status: 403, ...html('<p>Verifying you are human</p><p>Ray ID: 7</p>') };
      const body = pages[path.split('?')[0] ?? ''];
      return body === undefined ? undefined : html(body);
    });
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await traps[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const call = (name: string, args: Record<string, unknown>) => askOn(client, name, args);

  /** The result of a call that must succeed. */
  async function ok(name: string, args: Record<string, unknown>): Promise<Result> {
    const ask = async (given: Record<string, unknown>) => {
      const { data, text, isError } = await call(name, given);
      if (isError) throw new Error(text);
      return data;
    };
    return readLongReply(ask, args);
  }

  return {
    call,
    ok,
    start: async (url: string): Promise<string> => (await ok('federalscout_start_discovery', { url })).session_id,
    picture: (uri: string) => readPicture(client, uri),
    env: () => env,
    trap: (path: string) => `${traps.url}/${path}`,
  };
}
