import type { Page } from 'playwright-core';
import { MAIN_SELECTOR, oneLine } from '../../replay/steps/verify-expectation.ts';
import type { UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { type ListedRole, listedRoleSelectors, listedRoles } from '../model/script-steps.ts';

const listUseCaseClasses = ['search', 'filter', 'sort', 'pagination', 'view', 'dashboard'];

/** Whether the main part of the page is a list. */
export const isListUseCase = (evidence: Pick<UseCaseEvidence, 'class'>) => listUseCaseClasses.includes(evidence.class);

export const countedRoles = ['row', 'listitem', 'article'] as const;

/** Longer lists are not read completely, so their entries are unknown. */
const MAX_ITEMS = 1000;

/** What a user notices about a page: address, text, number of items, invalid fields. */
export interface PageObservation {
  url: string;
  title: string;
  /** Visible text, line by line, in the order of the page. */
  lines: ObservedLine[];
  /** Names of controls and the texts next to them. They are wording, which changes without a change of behaviour. */
  names: string[];
  /** Zero if the page is not read as a list. */
  counts: Record<(typeof countedRoles)[number], number>;
  /** Fields that the browser rejects, by their submitted names, with the validity flags. */
  invalid: { key: string; flags: string[] }[];
  hasPasswordField: boolean;
  /** Names of the visible fields. */
  fields: string[];
  /** Names of the fields that the page marks as invalid. */
  marked: string[];
  /** Texts of alerts, most often errors. */
  alerts: string[];
  /** Texts of the visible rows, articles or list items. */
  items: string[];
  /** Identities of the entries, if all were read. */
  itemRole: ListedRole | null;
  /** Values of the text fields by field name, without passwords. */
  fieldValues: Record<string, string>;
}

export interface ObservedLine {
  text: string;
  /** The line is in a live region: an alert or a status. */
  live: boolean;
  heading: boolean;
  main: boolean;
  /** The line is a table row: data, although each cell may be the name of a control. */
  row: boolean;
  /** The line is in a component or a frame of the page. */
  within?: true;
  /** The line is in a dialog of the browser. */
  spoken?: true;
  /** Whether the element looks like an error or a success, by its class names and its colour. */
  tone?: 'wrong' | 'right';
}

/** Counting takes longer than everything else, and matters only if a page is a list. */
export async function observePage(
  page: Page,
  isList: boolean,
  spoken: readonly string[] = [],
): Promise<PageObservation> {
  const { listedBy, ...seen } = await page.evaluate(readPageState, {
    selectors: listedRoles.map((role) => listedRoleSelectors[role]),
    most: MAX_ITEMS,
  });
  const main = page.locator(MAIN_SELECTOR);
  const roles = isList ? countedRoles : [];
  const [row, listitem, article] = await Promise.all(roles.map((role) => main.getByRole(role).count()));
  const heard = { live: true, heading: false, main: true, row: false, spoken: true } as const;
  const said = [...seen.lines, ...spoken.map((text): ObservedLine => ({ text, ...heard }))];
  const lines = said.map((line) => ({ ...line, text: oneLine(line.text) })).filter(({ text }) => text !== '');
  return {
    ...seen,
    lines,
    names: seen.names.map(oneLine).filter((name) => name !== ''),
    alerts: seen.alerts.map(oneLine).filter((text) => text !== ''),
    items: seen.items.map(oneLine).filter((item) => item !== ''),
    itemRole: listedRoles[listedBy] ?? null,
    url: page.url(),
    counts: { row: row ?? 0, listitem: listitem ?? 0, article: article ?? 0 },
  };
}

/** Runs in the page, including its components and open frames. */
function readPageState({
  selectors,
  most,
}: {
  selectors: readonly string[];
  most: number;
}): Omit<PageObservation, 'url' | 'counts' | 'itemRole'> & { listedBy: number } {
  const MOST_LINES = 600;
  const MOST_PARTS = 100;
  const MOST_COLOURED = 400;
  /** All roots of the page; for inner roots, whether they are in the main part. */
  const parts: { root: Document | ShadowRoot; isMain?: boolean }[] = [{ root: document }];
  const mainParts = 'main, [role=main]';
  const hasMain = document.querySelector(mainParts) !== null;
  for (const { root, isMain } of parts)
    for (const host of root.querySelectorAll('*')) {
      // A frame of another site has no accessible document.
      const framed = host instanceof HTMLIFrameElement && host.checkVisibility() ? host.contentDocument : null;
      const inner = host.shadowRoot ?? framed;
      if (inner && parts.length < MOST_PARTS)
        parts.push({ root: inner, isMain: isMain ?? (!hasMain || host.closest(mainParts) !== null) });
    }
  const all = (selector: string) => parts.flatMap(({ root }) => [...root.querySelectorAll(selector)]);
  // Elements of a frame have the classes of another window, so `instanceof` does not recognise them.
  const textOf = (element: Element) => ('innerText' in element ? String(element.innerText) : '');
  const linesOf = (element: Element) =>
    textOf(element)
      .split('\n')
      .filter((line) => line.trim() !== '');
  const gather = (selector: string) => new Set(all(selector).flatMap(linesOf));
  const live = gather('[role=alert], [role=status], [aria-live=polite], [aria-live=assertive], output');
  const headings = gather('h1, h2, h3, [role=heading]');
  const main = gather(mainParts);
  const rows = gather('tbody tr');
  const names = gather(
    'a, button, label, legend, option, summary, th, dt, nav, [role=button], [role=tab], [role=link]',
  );
  for (const input of all('input[type=submit], input[type=button]'))
    if ('value' in input) names.add(String(input.value));

  type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  const isField = (element: Element): element is Field => element.matches('input, select, textarea');
  const fields = all('input, select, textarea').filter(isField);
  const nameOf = (field: Field) =>
    field.name || field.id || (field.labels?.[0]?.innerText ?? field.getAttribute('aria-label') ?? '').trim();
  const invalid = fields.flatMap((field) => {
    if (!field.willValidate || field.validity.valid) return [];
    const flags: string[] = [];
    for (const flag in field.validity) if (Reflect.get(field.validity, flag) === true) flags.push(flag);
    return [{ key: nameOf(field), flags }];
  });
  const visible = fields.filter((field) => field.checkVisibility());
  const fieldValues: Record<string, string> = {};
  for (const field of visible)
    if (field.matches('textarea, input:not([type=password], [type=checkbox], [type=radio])'))
      fieldValues[nameOf(field)] = field.value;

  const right = gather(
    '[role=status], output, [class*=success i], [class*=confirm i], [class*=notice i], [class~=ok i]',
  );
  const wrong = gather('[class*=error i], [id*=error i], [class*=invalid i], [class*=danger i], [class~=err i]');
  const isRed = (element: Element) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number);
    return red >= 140 && green <= 90 && blue <= 110;
  };
  const hasOwnText = ({ childNodes }: Element) =>
    [...childNodes].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim());
  const worded = visible.length > 0 ? all('p, span, div, li, small, strong, em, b, font, td, dd') : [];
  for (const element of worded.filter(hasOwnText).slice(0, MOST_COLOURED))
    if (isRed(element)) for (const line of linesOf(element)) wrong.add(line);

  const whole = document.querySelector(mainParts) ?? document.body;
  const kinds = selectors.map((one) => [...whole.querySelectorAll(one)].filter((element) => element.checkVisibility()));
  const listedBy = kinds.findIndex((elements) => elements.length > 1);
  const listed = kinds[listedBy] ?? [];
  const said = parts.flatMap(({ root, isMain }) => {
    const shown = 'body' in root ? root.querySelectorAll('body') : root.children;
    return [...shown]
      .filter((child) => root === document || child.checkVisibility())
      .flatMap(linesOf)
      .map((text) => ({
        text,
        ...(isMain !== undefined && { within: true as const }),
        ...(wrong.has(text) ? { tone: 'wrong' as const } : right.has(text) ? { tone: 'right' as const } : {}),
        live: live.has(text),
        heading: headings.has(text),
        main: isMain ?? (main.size === 0 || main.has(text)),
        row: rows.has(text),
      }));
  });
  return {
    fields: visible.map(nameOf),
    marked: visible.filter((field) => field.getAttribute('aria-invalid') === 'true').map(nameOf),
    items: listed.slice(0, most).map(textOf),
    listedBy: listed.length > most ? -1 : listedBy,
    alerts: [...gather('[role=alert], [aria-live=assertive]')],
    title: document.title,
    lines: said.slice(0, MOST_LINES),
    names: [...names],
    fieldValues,
    invalid,
    hasPasswordField: visible.some((field) => field.matches('[type=password]')),
  };
}
