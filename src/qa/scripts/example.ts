import type { Page } from 'playwright-core';
import type { PageReading } from '../../platform/page/model.ts';
import { readPage } from '../../platform/page/read.ts';
import type { UseCaseEvidence } from '../scan/evidence.ts';
import { matchClickable } from './match.ts';
import { pathPattern } from './model.ts';

const MOST_EXAMPLES = 6;

/**
 * Another page of the same kind, where the one that the scan has seen cannot be used: a product may be sold out. Undefined
 * where the form can be sent, or where no other page has it any better.
 */
export async function betterExample(page: Page, evidence: UseCaseEvidence): Promise<string | undefined> {
  const { form, state } = evidence;
  if (!form?.submit || state.seen < 2 || !state.template.includes(':')) return undefined;
  const here = await readPage(page);
  if (canBeSent(here, evidence)) return undefined;
  const examples = [...linksTo(here, state.template, page.url())];
  const above = new URL('.', page.url()).href.replace(/\/$/, '');
  if (examples.length === 0) {
    await page.goto(above);
    examples.push(...linksTo(await readPage(page), state.template, page.url()));
  }
  for (const url of examples.slice(0, MOST_EXAMPLES)) {
    await page.goto(url);
    if (canBeSent(await readPage(page), evidence)) return url;
  }
  return undefined;
}

function canBeSent(reading: PageReading, { form }: UseCaseEvidence): boolean {
  const button = form?.submit && matchClickable(reading, form.submit);
  return button?.disabled === false;
}

function linksTo({ controls }: PageReading, template: string, from: string): Set<string> {
  const pattern = pathPattern(template.replaceAll(/:\w+/g, '*'));
  const urls = controls.flatMap(({ href }) => (href === null ? [] : (URL.parse(href, from) ?? [])));
  const own = urls.filter(({ origin, pathname }) => origin === new URL(from).origin && pattern.test(pathname));
  return new Set(own.map(({ href }) => href).filter((href) => href !== from));
}
