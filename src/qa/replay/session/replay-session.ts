import { randomBytes } from 'node:crypto';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { BrowserPool } from '../../../platform/browser/browser-pool.ts';
import type { PrivateText } from '../../../platform/page/capture/private-text.ts';
import { type PageEvent, type PageEventWatch, watchPageEvents } from '../../../platform/page/settle/page-events.ts';
import { unlessAborted } from '../../../platform/unless-aborted.ts';
import { UNIQUE_LENGTH, UNIQUE_TOKEN } from '../../cases/values/unique-token.ts';
import type { UsageMeter } from '../../runs/usage-meter.ts';
import { describeStep } from '../../scripts/model/describe-step.ts';
import type { ScriptStep } from '../../scripts/model/script-steps.ts';
import type { ProjectSecrets } from '../../secrets/project-secrets.ts';
import { mapStrings } from '../../secrets/secret-placeholders.ts';
import { recordTraffic, type SessionTraffic } from './session-traffic.ts';

/** A new page in a new context, with a record of its traffic. */
export interface ReplaySession extends AsyncDisposable, SessionTraffic {
  context: BrowserContext;
  page(): Page;
  /** For actions that cost more through Playwright. */
  cdpSession(page: Page): Promise<CDPSession>;
  baseUrl: string;
  happenings: PageEvent[];
  /** Replaces the tokens of values that differ in each run. */
  fillIn(text: string): string;
  unique: string;
  secret(name: string): string;
  /** Removes secrets from step descriptions and page texts. Call it before a text is cut. */
  describe(step: ScriptStep): string;
  redact(text: string): string;
  /** Whether a text contains a secret, which may be entered only on pages of the site. */
  holdsSecret(text: string): boolean;
  /** Text that is masked in screenshots: every secret of the project. */
  privateText: PrivateText;
  meter: UsageMeter;
}

export interface SessionOptions {
  browsers(): Promise<BrowserPool>;
  inside: readonly string[] | undefined;
  baseUrl: string;
  secrets: Pick<ProjectSecrets, 'value' | 'redactor' | 'placeholders' | 'privateText'>;
  signal?: AbortSignal | undefined;
  meter: UsageMeter;
  /** Downloads of the page are rejected. */
  refusesFiles?: boolean;
}

const VIEWPORT = { width: 1280, height: 800 };

export async function openSession(options: SessionOptions): Promise<ReplaySession> {
  const { browsers, inside, baseUrl, secrets, signal, meter, refusesFiles = false } = options;
  const browserPool = await browsers();
  const opening = browserPool.open({
    allowedPrivateAddresses: inside,
    options: { viewport: VIEWPORT, locale: 'en-GB', baseURL: baseUrl, reducedMotion: 'reduce' },
    ...(signal && { signal }),
  });
  const opened = await unlessAborted(opening, signal).catch((error: unknown) => {
    // A context that opens after the abort is closed again.
    void opening.then(closeContext, () => {});
    throw error;
  });
  try {
    const first = await unlessAborted(opened.context.newPage(), signal);
    const watched = watchPageEvents(opened.context, first, { followTabs: true, keepsDownloads: !refusesFiles });
    return createSession(opened, watched, { baseUrl, secrets, meter });
  } catch (error) {
    await closeContext(opened);
    throw error;
  }
}

/** A browser that does not close a page in this time no longer responds. */
const CLOSES_WITHIN_MS = 15_000;

async function closeContext(opened: AsyncDisposable): Promise<void> {
  await unlessAborted(opened[Symbol.asyncDispose](), AbortSignal.timeout(CLOSES_WITHIN_MS)).catch(() => {});
}

function createSession(
  opened: AsyncDisposable & { context: BrowserContext },
  watched: PageEventWatch,
  { baseUrl, secrets, meter }: Pick<SessionOptions, 'baseUrl' | 'secrets' | 'meter'>,
): ReplaySession {
  const from = performance.now();
  const { context } = opened;
  const unique = randomBytes(8).toString('hex').slice(0, UNIQUE_LENGTH);
  const fillIn = (text: string) => text.replaceAll(UNIQUE_TOKEN, unique);
  const happenings: PageEvent[] = [];
  const sessions = new Map<Page, Promise<CDPSession>>();
  return {
    ...recordTraffic(context, { baseUrl, meter }),
    context,
    baseUrl,
    unique,
    secret: secrets.value,
    describe: (step) => describeStep(mapStrings(secrets.placeholders.hide(step), fillIn)),
    redact: secrets.redactor.text,
    holdsSecret: secrets.redactor.finds,
    privateText: secrets.privateText,
    meter,
    page: () => watched.page(),
    cdpSession(page) {
      const session = sessions.get(page) ?? context.newCDPSession(page);
      sessions.set(page, session);
      return session;
    },
    get happenings() {
      happenings.push(...watched.take());
      return happenings;
    },
    fillIn,
    async [Symbol.asyncDispose]() {
      watched[Symbol.dispose]();
      meter.browserMs += performance.now() - from;
      await closeContext(opened);
    },
  };
}
