import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { UseCaseClass } from '../../../src/qa/scan/use-case-classes.ts';
import { html, type Markup, toText } from '../../../src/web/html.ts';
import { applyDrift, type Drift } from './drift.ts';

/** A use case of the gold list. */
export interface GoldUseCase {
  title: string;
  class: UseCaseClass;
  /** Path of its page, with `:id` for variable segments; `*` for every page. */
  entry: string;
}

export interface AppOptions<Defect extends string = string> {
  /** Defects to inject. */
  defects?: readonly Defect[];
  /** Changes of the markup that break no behaviour. */
  drift?: readonly Drift[];
  /** Delay of every response in milliseconds. */
  delayMs?: number;
  /** A request for this path ends the session. */
  endsSessionAt?: string;
}

interface RecordedRequest {
  method: string;
  /** Path with query. */
  path: string;
  body: string;
  status: number;
}

/** A running application with its own state. */
export interface App extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string;
  /** All requests, in order. */
  requests: RecordedRequest[];
  gold: readonly GoldUseCase[];
  credentials: { username: string; password: string };
}

interface Visit<Session> {
  params: Record<string, string>;
  query: URLSearchParams;
  /** Submitted fields; files by name and content. */
  form: Map<string, string>;
  files: Map<string, { name: string; text: string }>;
  session: Session;
  path: string;
}

export interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body: string;
}

type Answer = Reply | Markup;
export type Routes<Session> = Record<string, (visit: Visit<Session>) => Answer>;

interface AppDefinition<Session> {
  routes: Routes<Session>;
  newSession(): Session;
  notFound(visit: Visit<Session>): Markup;
  /** Answer for a visitor without access. */
  guard?(visit: Visit<Session>): Answer | undefined;
  gold: readonly GoldUseCase[];
  credentials: { username: string; password: string };
}

/** Serves an application on a free port of 127.0.0.1 and keeps a record of every request. */
export async function startApp<Session>(
  { routes, newSession, notFound, guard, gold, credentials }: AppDefinition<Session>,
  { drift = [], delayMs = 0, endsSessionAt }: AppOptions,
): Promise<App> {
  const sessions = new Map<string, Session>();
  const requests: RecordedRequest[] = [];
  const table = Object.entries(routes).map(([pattern, answer]) => ({ match: matcher(pattern), answer }));

  async function answerTo(request: IncomingMessage): Promise<Reply & { cookie?: string; sent: string }> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://app');
    const raw = await buffer(request);
    const { form, files } = await fieldsOf(raw, request.headers['content-type']);
    const known = /(?:^|; )sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
    const id = known !== undefined && sessions.has(known) ? known : randomUUID();
    const session = sessions.get(id) ?? newSession();
    sessions.set(id, session);
    const visit = { params: {}, query: searchParams, form, files, session, path: pathname };
    const answer = guard?.(visit) ?? find(request.method ?? 'GET', pathname, visit);
    if (pathname === endsSessionAt) sessions.delete(id);
    const reply = 'body' in answer ? answer : { body: toText(answer) };
    return { ...reply, ...(id !== known && { cookie: `sid=${id}; Path=/; HttpOnly` }), sent: raw.toString('utf8') };
  }

  function find(method: string, path: string, visit: Visit<Session>): Answer {
    for (const { match, answer } of table) {
      const params = match(method === 'HEAD' ? 'GET' : method, path);
      if (params) return answer({ ...visit, params });
    }
    return { status: 404, body: toText(notFound(visit)) };
  }

  const server = createServer((request, response) => {
    const record = { method: request.method ?? '', path: request.url ?? '', body: '', status: 0 };
    requests.push(record);
    void (async () => {
      if (delayMs > 0) await pause(delayMs);
      const { sent, cookie, status = 200, type = 'text/html; charset=utf-8', headers, body } = await answerTo(request);
      Object.assign(record, { body: sent, status });
      response.writeHead(status, { 'content-type': type, ...(cookie && { 'set-cookie': cookie }), ...headers });
      response.end(request.method === 'HEAD' ? '' : type.startsWith('text/html') ? applyDrift(body, drift) : body);
    })().catch((error: unknown) => {
      record.status = 500;
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    gold,
    credentials,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function matcher(pattern: string): (method: string, path: string) => Record<string, string> | undefined {
  const [wanted, template = ''] = pattern.split(' ');
  const expression = new RegExp(`^${template.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
  return (method, path) => {
    const found = method === wanted ? expression.exec(path) : null;
    return found ? { ...found.groups } : undefined;
  };
}

async function fieldsOf(body: Buffer, type = ''): Promise<Pick<Visit<unknown>, 'form' | 'files'>> {
  const form = new Map<string, string>();
  const files = new Map<string, { name: string; text: string }>();
  if (!/urlencoded|multipart/.test(type)) return { form, files };
  const parsed = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  for (const [name, value] of parsed) {
    if (typeof value === 'string') form.set(name, value.trim());
    else if (value.name) files.set(name, { name: value.name, text: await value.text() });
  }
  return { form, files };
}

export function redirect(location: string): Reply {
  return { status: 303, headers: { location }, body: '' };
}

/** Error message next to a field. */
export function problem(errors: ReadonlyMap<string, string>, name: string): Markup | undefined {
  const message = errors.get(name);
  return message === undefined ? undefined : html`<p class="error" id="${name}-error">${message}</p>`;
}

/** Fields of a form in an order that drift may change. */
export function fields(...blocks: Markup[]): Markup {
  return html`${blocks.map((block) => html`<!--field-->${block}<!--/field-->`)}`;
}

export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
