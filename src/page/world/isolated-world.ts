import { randomBytes } from 'node:crypto';
import type { CDPSession, Frame, Page } from 'playwright-core';
import type { InjectedFunctions } from '../injected/main.ts';
import { readInjectedScript } from './injected-script.ts';

const WORLD = 'assay-page';
const GLOBAL = `assayPage${randomBytes(8).toString('hex')}`;

interface Session {
  cdp: CDPSession;
  mainFrameId: string;
  /** Isolated worlds of current documents, by frame. */
  contexts: Map<string, number>;
}

const pageSessions = new WeakMap<Page, Promise<Session>>();
/** Of frames that have a process of their own. */
const frameSessions = new WeakMap<Frame, Promise<Session | undefined>>();
let script: Promise<string> | undefined;

/** The debugging session of a page. It ends with the page. */
export async function pageSession(page: Page): Promise<CDPSession> {
  return (await sessionOf(page)).cdp;
}

function sessionOf(page: Page): Promise<Session> {
  const known = pageSessions.get(page);
  if (known) return known;
  const session = openSession(page);
  pageSessions.set(page, session);
  return session;
}

async function openSession(page: Page): Promise<Session> {
  const session = await toSession(await page.context().newCDPSession(page));
  page.on('framenavigated', (frame) => {
    // Which of its frames went on is not known by id. Worlds that are forgotten are found again.
    session.contexts.clear();
    frameSessions.delete(frame);
  });
  return session;
}

async function toSession(cdp: CDPSession): Promise<Session> {
  return { cdp, mainFrameId: await findMainFrame(cdp), contexts: new Map() };
}

async function findMainFrame(cdp: CDPSession): Promise<string> {
  return (await cdp.send('Page.getFrameTree')).frameTree.frame.id;
}

/** A document that functions can be called in: the page's main frame, or another frame by its id. */
export interface PageWorld {
  page: Page;
  frameId?: string | undefined;
  /** The element of the frame, in the document that contains it. */
  owner?: { world: PageWorld; ref: string };
}

/**
 * Calls an injected function in an isolated world of a document: no script of the page can change what it uses. Undefined when the
 * document was replaced during the call, or did not answer within the limit.
 *
 * @throws when the page is closed or has crashed, or when the function throws
 */
export async function callInWorld<Name extends keyof InjectedFunctions>(
  { page, frameId }: PageWorld,
  name: Name,
  argument: Parameters<InjectedFunctions[Name]>[0],
  limitMs: number,
): Promise<ReturnType<InjectedFunctions[Name]> | undefined> {
  const call = `globalThis.${GLOBAL}?.callInjected(${JSON.stringify(name)}, ${JSON.stringify(argument ?? null)})`;
  const evaluation = findSession(page, frameId).then(
    (session) =>
      session && evaluate(session, frameId, (contextId, setup) => run(session.cdp, contextId, `${setup}${call}`)),
  );
  const answer = await within(limitMs, evaluation);
  return answer === undefined ? undefined : JSON.parse(answer);
}

/** Calls a function in the page's main frame. */
export function callInPage<Name extends keyof InjectedFunctions>(
  page: Page,
  name: Name,
  argument: Parameters<InjectedFunctions[Name]>[0],
  limitMs: number,
): Promise<ReturnType<InjectedFunctions[Name]> | undefined> {
  return callInWorld({ page }, name, argument, limitMs);
}

/** Does something with an element of a world by its debugging object, which is released afterwards. */
export async function withElement<Result>(
  { page, frameId }: PageWorld,
  ref: string,
  work: (cdp: CDPSession, objectId: string) => Promise<Result>,
): Promise<Result | undefined> {
  const session = await findSession(page, frameId);
  if (!session) return undefined;
  return evaluate(session, frameId, async (contextId, setup) => {
    const expression = `${setup}globalThis.${GLOBAL}?.elementOf(${JSON.stringify(ref)})`;
    const { result } = await session.cdp.send('Runtime.evaluate', { expression, contextId });
    if (!result.objectId) return undefined;
    try {
      return await work(session.cdp, result.objectId);
    } finally {
      await session.cdp.send('Runtime.releaseObject', { objectId: result.objectId }).catch(() => {});
    }
  });
}

/** The document in a frame, as a world of its own. */
export async function innerWorld(outer: PageWorld, ref: string): Promise<PageWorld | undefined> {
  const described = await withElement(outer, ref, async (cdp, objectId) => cdp.send('DOM.describeNode', { objectId }));
  const frameId = described?.node.frameId;
  return frameId === undefined ? undefined : { page: outer.page, frameId, owner: { world: outer, ref } };
}

/** The session that has the frame: that of the page, or of a frame with a process of its own. */
async function findSession(page: Page, frameId: string | undefined): Promise<Session | undefined> {
  const main = await sessionOf(page);
  if (frameId === undefined || main.contexts.has(frameId) || (await hasFrame(main, frameId))) return main;
  for (const frame of page.frames()) {
    const session = frame === page.mainFrame() ? undefined : await frameSession(page, frame);
    if (session && (session.mainFrameId === frameId || (await hasFrame(session, frameId)))) return session;
  }
  return undefined;
}

async function hasFrame(session: Session, frameId: string): Promise<boolean> {
  const { frameTree } = await session.cdp.send('Page.getFrameTree');
  const trees = [frameTree];
  for (const tree of trees) trees.push(...(tree.childFrames ?? []));
  return trees.some(({ frame }) => frame.id === frameId);
}

function frameSession(page: Page, frame: Frame): Promise<Session | undefined> {
  const known = frameSessions.get(frame);
  if (known) return known;
  // A frame in the process of its page has no session of its own.
  const session = page
    .context()
    .newCDPSession(frame)
    .then(toSession)
    .catch(() => undefined);
  frameSessions.set(frame, session);
  return session;
}

async function evaluate<Value>(
  session: Session,
  frameId: string | undefined,
  work: (contextId: number, setup: string) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const id = frameId ?? session.mainFrameId;
  try {
    const known = session.contexts.get(id);
    // Ids of contexts are reused after a change of the process. No script of a page knows the name of the global.
    const value = known === undefined ? undefined : await work(known, '');
    if (value !== undefined) return value;
    const { executionContextId } = await session.cdp.send('Page.createIsolatedWorld', {
      frameId: id,
      worldName: WORLD,
    });
    session.contexts.set(id, executionContextId);
    return await work(executionContextId, `globalThis.${GLOBAL} ||= ${await injectedScript()};`);
  } catch (error) {
    if (!isDocumentReplaced(error)) throw error;
    session.contexts.delete(id);
    if (frameId === undefined) session.mainFrameId = await findMainFrame(session.cdp);
    return undefined;
  }
}
async function run(cdp: CDPSession, contextId: number, expression: string): Promise<string | undefined> {
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', { expression, contextId });
  if (!exceptionDetails) return result.value;
  throw new Error(`an injected function failed: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
}

function injectedScript(): Promise<string> {
  script ??= readInjectedScript();
  return script;
}

function isDocumentReplaced(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Cannot find context|context was destroyed|No frame for given id|navigated or closed/.test(error.message)
  );
}

/** A page that is busy does not answer. The call goes on in the browser, and its late answer is dropped. */
async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, limitMs, undefined);
  work.catch(() => {});
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
