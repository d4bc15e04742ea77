import type { Page } from 'playwright-core';
import { MAIN, oneLine } from '../replay/verify.ts';
import type { UseCaseEvidence } from '../scan/evidence.ts';

const listClasses = ['search', 'filter', 'sort', 'pagination', 'view', 'dashboard'];

/** Whether what counts on its page is a list. */
export const isListed = (evidence: Pick<UseCaseEvidence, 'class'>) => listClasses.includes(evidence.class);

export const countedRoles = ['row', 'listitem', 'article'] as const;

/** What somebody would notice about a page: where it is, what it says, how much it shows, what it refuses. */
export interface Observation {
  url: string;
  title: string;
  /** What can be read, line by line, in the order of the page. */
  lines: Line[];
  /** Names of what can be clicked or filled in: they are wording, and change with it. */
  names: string[];
  /** Zero where the page is not looked at as a list. */
  counts: Record<(typeof countedRoles)[number], number>;
  /** Fields that the browser refuses, by the name that is sent, with the flags it raises. */
  invalid: { key: string; flags: string[] }[];
  hasPasswordField: boolean;
  /** Names of the fields that can be seen. */
  fields: string[];
  /** Names of the fields that the page itself marks as wrong. */
  marked: string[];
  /** What the page calls out: most often that something is wrong. */
  alerts: string[];
  /** What the first rows, list items or articles say. */
  items: string[];
  /** What the fields with text hold, by the names of the fields; passwords are left out. */
  held: Record<string, string>;
}

export interface Line {
  text: string;
  /** In a region that is announced: an alert, a status. */
  live: boolean;
  heading: boolean;
  main: boolean;
  /** A row of a table: data, though each of its cells may be the name of something else. */
  row: boolean;
}

/** Counting takes longer than all the rest, and matters only where a page is a list. */
export async function observe(page: Page, isList: boolean): Promise<Observation> {
  const seen = await page.evaluate(look);
  const main = page.locator(MAIN);
  const roles = isList ? countedRoles : [];
  const [row, listitem, article] = await Promise.all(roles.map((role) => main.getByRole(role).count()));
  const lines = seen.lines.map((line) => ({ ...line, text: oneLine(line.text) })).filter(({ text }) => text !== '');
  return {
    ...seen,
    lines,
    names: seen.names.map(oneLine).filter((name) => name !== ''),
    alerts: seen.alerts.map(oneLine).filter((text) => text !== ''),
    items: seen.items.map(oneLine).filter((item) => item !== ''),
    url: page.url(),
    counts: { row: row ?? 0, listitem: listitem ?? 0, article: article ?? 0 },
  };
}

/** In the page. */
function look(): Omit<Observation, 'url' | 'counts'> {
  const MOST_LINES = 600;
  const linesOf = (element: Element | null) =>
    element instanceof HTMLElement ? element.innerText.split('\n').filter((line) => line.trim() !== '') : [];
  const gather = (selector: string) => new Set([...document.querySelectorAll(selector)].flatMap(linesOf));
  const live = gather('[role=alert], [role=status], [aria-live=polite], [aria-live=assertive], output');
  const headings = gather('h1, h2, h3, [role=heading]');
  const main = gather('main, [role=main]');
  const rows = gather('tbody tr');
  const names = gather('a, button, label, legend, option, summary, th, nav, [role=button], [role=tab], [role=link]');
  for (const input of document.querySelectorAll('input[type=submit], input[type=button]'))
    if (input instanceof HTMLInputElement) names.add(input.value);
  const invalid = [...document.querySelectorAll('input, select, textarea')].flatMap((field) => {
    const isField =
      field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement;
    if (!isField || !field.willValidate || field.validity.valid) return [];
    const flags: string[] = [];
    for (const flag in field.validity) if (Reflect.get(field.validity, flag) === true) flags.push(flag);
    return [{ key: field.name || field.id, flags }];
  });
  const visible = [...document.querySelectorAll('input, select, textarea')].filter((field) => field.checkVisibility());
  const nameOf = (field: Element) => field.getAttribute('name') ?? field.id;
  const held: Record<string, string> = {};
  for (const field of visible)
    if ('value' in field && field.matches('textarea, input:not([type=password], [type=checkbox], [type=radio])'))
      held[nameOf(field)] = String(field.value);
  const whole = document.querySelector('main, [role=main]') ?? document.body;
  const kinds = ['tbody tr', 'article, [role=article]', 'li'].map((selector) => [...whole.querySelectorAll(selector)]);
  const listed = kinds.find((elements) => elements.length > 1) ?? [];
  return {
    fields: visible.map(nameOf),
    marked: visible.filter((field) => field.getAttribute('aria-invalid') === 'true').map(nameOf),
    items: listed.slice(0, 6).flatMap((item) => (item instanceof HTMLElement ? item.innerText : [])),
    alerts: [...gather('[role=alert], [aria-live=assertive]')],
    title: document.title,
    lines: linesOf(document.body)
      .slice(0, MOST_LINES)
      .map((text) => ({
        text,
        live: live.has(text),
        heading: headings.has(text),
        main: main.size === 0 || main.has(text),
        row: rows.has(text),
      })),
    names: [...names],
    held,
    invalid,
    hasPasswordField: [...document.querySelectorAll('input[type=password]')].some((field) => field.checkVisibility()),
  };
}
