import type { Page } from 'playwright-core';
import { fitting } from '../../platform/fit.ts';
import { takeCoveredPicture } from '../../platform/page/private-text.ts';
import type { Happening } from '../../platform/page/watch.ts';
import { elementsOf, type HtmlContext, htmlContext } from './elements.ts';
import { coveredOn, type Secret, secretText, withoutSecrets } from './secrets.ts';
import { pageOf, type Session } from './session.ts';

const PICTURE_MS = 10_000;
const MOST_TOLD = 10;
/** Controls that do not fit are named by federalscout_get_page_info. */
const MOST_CONTEXT_BYTES = 30_000;

/** Shows a picture beside the answer. */
export type ShowPicture = (picture: Buffer) => void;

export interface View {
  screenshot: string;
  current_url: string;
  html_context: HtmlContext[];
}

/** What the agent sees after each step. */
export async function viewOf(session: Session, show: ShowPicture): Promise<View> {
  const page = pageOf(session);
  const screenshot = await pictureOf(page, show, session.secrets);
  const seen = {
    current_url: page.url(),
    html_context: fitting(htmlContext(await elementsOf(page)), MOST_CONTEXT_BYTES),
  };
  return { screenshot, ...withoutSecrets(session, seen) };
}

/** A picture in base64; passwords are covered, and what was typed into private fields. */
export async function pictureOf(page: Page, show: ShowPicture, secrets: readonly Secret[]): Promise<string> {
  const options = { masked: coveredOn(page, secrets), timeoutMs: PICTURE_MS };
  const { picture } = await takeCoveredPicture(page, secretText(secrets), options);
  show(picture);
  return picture.toString('base64');
}

/** For errors: the state that failed, if there is anything to see. */
export async function pictureOrNull(page: Page, show: ShowPicture, secrets: readonly Secret[]): Promise<string | null> {
  if (page.isClosed() || /^(?:about:blank|chrome-error:)/.test(page.url())) return null;
  return pictureOf(page, show, secrets).catch(() => null);
}

/** What happened beside the page, as a part of a message. Errors of the page's own scripts are none of the agent's business. */
export function told(happenings: readonly Happening[]): string {
  const words = happenings.filter(({ kind }) => ['dialog', 'download', 'new-tab', 'crash'].includes(kind));
  const texts = [...new Set(words.map(({ text }) => text))];
  const more = texts.length > MOST_TOLD ? ` And ${texts.length - MOST_TOLD} more.` : '';
  return (
    texts
      .slice(0, MOST_TOLD)
      .map((text) => ` ${text}`)
      .join('') + more
  );
}
