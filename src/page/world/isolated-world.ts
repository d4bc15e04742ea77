import { randomBytes } from 'node:crypto';
import type { CDPSession, Page } from 'playwright-core';
import type { InjectedFunctions } from '../injected/main.ts';
import { readInjectedScript } from './injected-script.ts';

const WORLD = 'assay-page';
const GLOBAL = `assayPage${randomBytes(8).toString('hex')}`;

interface Session {
  cdp: CDPSession;
  mainFrameId: string;
  /** Of the isolated world of the current document, once it is known. */
  contextId?: number | undefined;
}

const sessions = new WeakMap<Page, Promise<Session>>();
let script: Promise<string> | undefined;

/** The debugging session of a page. It ends with the page. */
export async function pageSession(page: Page): Promise<CDPSession> {
  return (await sessionOf(page)).cdp;
}

function sessionOf(page: Page): Promise<Session> {
  const known = sessions.get(page);
  if (known) return known;
  const session = openSession(page);
  sessions.set(page, session);
  return session;
}

async function openSession(page: Page): Promise<Session> {
  const cdp = await page.context().newCDPSession(page);
  const session: Session = { cdp, mainFrameId: await findMainFrame(cdp) };
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) session.contextId = undefined;
  });
  return session;
}

async function findMainFrame(cdp: CDPSession): Promise<string> {
  return (await cdp.send('Page.getFrameTree')).frameTree.frame.id;
}

/**
 * Calls an injected function in an isolated world of the page's main frame: no script of the page can change what it uses.
 * Undefined when the document was replaced during the call, or did not answer within the limit.
 *
 * @throws when the page is closed or has crashed, or when the function throws
 */
export async function callInPage<Name extends keyof InjectedFunctions>(
  page: Page,
  name: Name,
  argument: Parameters<InjectedFunctions[Name]>[0],
  limitMs: number,
): Promise<ReturnType<InjectedFunctions[Name]> | undefined> {
  const expression = `${GLOBAL}.callInjected(${JSON.stringify(name)}, ${JSON.stringify(argument)})`;
  const evaluation = sessionOf(page).then((session) => evaluate(session, expression));
  const answer = await within(limitMs, evaluation);
  return answer === undefined ? undefined : JSON.parse(answer);
}

async function evaluate(session: Session, call: string): Promise<string | undefined> {
  try {
    // Ids of contexts are reused after a change of the process. No script of a page knows the name of the global.
    const known = session.contextId && (await run(session.cdp, session.contextId, `globalThis.${GLOBAL} && ${call}`));
    if (known) return known;
    const { executionContextId } = await session.cdp.send('Page.createIsolatedWorld', {
      frameId: session.mainFrameId,
      worldName: WORLD,
    });
    session.contextId = executionContextId;
    return await run(session.cdp, executionContextId, `globalThis.${GLOBAL} ||= ${await injectedScript()};${call}`);
  } catch (error) {
    if (!isDocumentReplaced(error)) throw error;
    session.contextId = undefined;
    session.mainFrameId = await findMainFrame(session.cdp);
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
