import { randomBytes } from 'node:crypto';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { BrowserPool } from '../../platform/browser/browser-pool.ts';
import type { PrivateText } from '../../platform/page/private-text.ts';
import { type Happening, type Watch, watch } from '../../platform/page/watch.ts';
import { UNIQUE, UNIQUE_LENGTH } from '../cases/unique.ts';
import type { UsageMeter } from '../runs/usage-meter.ts';
import type { Step } from '../scripts/model.ts';
import { inWords } from '../scripts/words.ts';
import { everyString } from '../secrets/places.ts';
import type { ProjectSecrets } from '../secrets/project-secrets.ts';
import { listen, type Traffic } from './traffic.ts';
import { unlessAborted } from './unless-aborted.ts';

/** A page of its own in a context of its own, with everything that happens on it. */
export interface Stage extends AsyncDisposable, Traffic {
  context: BrowserContext;
  page(): Page;
  /** For what Playwright does in a dearer way. */
  session(page: Page): Promise<CDPSession>;
  baseUrl: string;
  happenings: Happening[];
  /** Fills in what differs from run to run. */
  fillIn(text: string): string;
  unique: string;
  secret(name: string): string;
  /** A step in words, and a text of the page, without secrets: to be asked before anything is cut off. */
  describe(step: Step): string;
  clean(text: string): string;
  /** Whether a text that goes into a page holds a secret: it may only go into one of the site. */
  holdsSecret(text: string): boolean;
  /** What no picture may show: every secret of the project, whoever put it on the page. */
  hidden: PrivateText;
  meter: UsageMeter;
}

export interface StageWishes {
  browsers(): Promise<BrowserPool>;
  inside: readonly string[] | undefined;
  baseUrl: string;
  secrets: Pick<ProjectSecrets, 'value' | 'redactor' | 'places' | 'onPages'>;
  signal?: AbortSignal | undefined;
  meter: UsageMeter;
  /** What the page offers as a file is refused. */
  refusesFiles?: boolean;
}

const VIEWPORT = { width: 1280, height: 800 };

export async function openStage(wishes: StageWishes): Promise<Stage> {
  const { browsers, inside, baseUrl, secrets, signal, meter, refusesFiles = false } = wishes;
  const room = await browsers();
  const opening = room.open({
    inside,
    options: { viewport: VIEWPORT, locale: 'en-GB', baseURL: baseUrl, reducedMotion: 'reduce' },
    ...(signal && { signal }),
  });
  const opened = await unlessAborted(opening, signal).catch((error: unknown) => {
    // What opens when nobody wants it any more is closed again.
    void opening.then(closing, () => {});
    throw error;
  });
  try {
    const first = await unlessAborted(opened.context.newPage(), signal);
    const watched = watch(opened.context, first, { followTabs: true, keepsDownloads: !refusesFiles });
    return staged(opened, watched, { baseUrl, secrets, meter });
  } catch (error) {
    await closing(opened);
    throw error;
  }
}

/** A browser that does not close a page in this time has ceased to answer, and is not waited for. */
const CLOSES_WITHIN_MS = 15_000;

async function closing(opened: AsyncDisposable): Promise<void> {
  await unlessAborted(opened[Symbol.asyncDispose](), AbortSignal.timeout(CLOSES_WITHIN_MS)).catch(() => {});
}

function staged(
  opened: AsyncDisposable & { context: BrowserContext },
  watched: Watch,
  { baseUrl, secrets, meter }: Pick<StageWishes, 'baseUrl' | 'secrets' | 'meter'>,
): Stage {
  const from = performance.now();
  const { context } = opened;
  const unique = randomBytes(8).toString('hex').slice(0, UNIQUE_LENGTH);
  const fillIn = (text: string) => text.replaceAll(UNIQUE, unique);
  const happenings: Happening[] = [];
  const sessions = new Map<Page, Promise<CDPSession>>();
  return {
    ...listen(context, { baseUrl, meter }),
    context,
    baseUrl,
    unique,
    secret: secrets.value,
    describe: (step) => inWords(everyString(secrets.places.hide(step), fillIn)),
    clean: secrets.redactor.text,
    holdsSecret: secrets.redactor.finds,
    hidden: secrets.onPages,
    meter,
    page: () => watched.page(),
    session(page) {
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
      await closing(opened);
    },
  };
}
