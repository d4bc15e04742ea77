import type { Page } from 'playwright-core';
import { Failure } from '../../../platform/errors.ts';
import type { PageReading } from '../../../platform/page/page-model.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import type { UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { pathPattern } from '../model/script-steps.ts';
import { matchClickable } from './match-controls.ts';
import { observePage } from './page-observation.ts';

const MAX_PAGES_TRIED = 6;

/**
 * Another page of the same kind, if the scanned one is not usable: a product may be sold out, a record may belong to
 * the test user. Undefined if the page is usable, or no other is better.
 */
export async function findUsablePage(
  page: Page,
  evidence: UseCaseEvidence,
  userName: string | undefined,
): Promise<string | undefined> {
  const { form, state } = evidence;
  const isOne = state.seen > 1 && state.template.includes(':');
  if (!form?.submit || !isOne) return undefined;
  const here = await readPage(page);
  const isOwn = await isOwnAccount(page, evidence, userName);
  if (canSubmit(here, evidence) && !isOwn) return undefined;
  const examples = [...listLinksTo(here, state.template, page.url())];
  const above = new URL('.', page.url()).href.replace(/\/$/, '');
  if (examples.length === 0) {
    await page.goto(above);
    examples.push(...listLinksTo(await readPage(page), state.template, page.url()));
  }
  for (const url of examples.slice(0, MAX_PAGES_TRIED)) {
    await page.goto(url);
    const isUsable = canSubmit(await readPage(page), evidence);
    if (isUsable && !(await isOwnAccount(page, evidence, userName))) return url;
  }
  if (!isOwn) return undefined;
  const message = 'The case would change the account that the tests sign in with, and no other account was found.';
  throw new Failure('site_failed', 'OWN_ACCOUNT', message);
}

/** Changing or deleting the account of the test user would lock out all other tests. */
async function isOwnAccount(page: Page, evidence: UseCaseEvidence, userName: string | undefined): Promise<boolean> {
  if (userName === undefined || !['edit', 'delete'].includes(evidence.class)) return false;
  const { lines, fieldValues } = await observePage(page, false);
  const words = [...lines.flatMap(({ main, text }) => (main ? text.split(' ') : [])), ...Object.values(fieldValues)];
  return words.some((word) => word.toLowerCase() === userName.toLowerCase());
}

function canSubmit(reading: PageReading, { form }: UseCaseEvidence): boolean {
  const button = form?.submit && matchClickable(reading, form.submit);
  return button?.disabled === false;
}

function listLinksTo({ controls }: PageReading, template: string, from: string): Set<string> {
  const pattern = pathPattern(template.replaceAll(/:\w+/g, '*'));
  const urls = controls.flatMap(({ href }) => (href === null ? [] : (URL.parse(href, from) ?? [])));
  const own = urls.filter(({ origin, pathname }) => origin === new URL(from).origin && pattern.test(pathname));
  return new Set(own.map(({ href }) => href).filter((href) => href !== from));
}
