import type { WidgetPattern } from '../snapshot/page-snapshot.ts';
import { nameOf, roleOf } from './accessibility.ts';
import { datePartOf, type MomentPart } from './date-words.ts';
import type { FoundParts } from './found-parts.ts';
import { isSeen } from './geometry.ts';
import { shownText, tidyText } from './text.ts';
import { ancestors, attribute, closest, isWithin, queryAll, tagOf } from './tree.ts';
import { choiceName } from './widget-value.ts';

/** A control of one element or of several. */
export interface FoundControl {
  pattern: WidgetPattern;
  members: Element[];
  /** The element that groups the members, if the page has one. */
  container?: Element;
  /** Of a matrix. */
  rows?: { name: string; members: Element[] }[];
  columns?: string[];
}

/** Puts radio buttons, checkboxes and parts of dates together that are one question; in the order of the page. */
export function groupControls(parts: FoundParts): FoundControl[] {
  const radios = toMatrices(radioGroups(parts.radios));
  const checkboxes = toMatrices(checkboxGroups(parts.checkboxes));
  const { dates, rest } = dateGroups(parts.singles);
  const singles = rest.map(
    (element): FoundControl => ({
      pattern: singlePattern(element, parts),
      members: [element],
    }),
  );
  const position = ({ members: [first] }: FoundControl) => (first && parts.order.get(first)) ?? 0;
  return [...radios, ...checkboxes, ...dates, ...singles].sort((one, other) => position(one) - position(other));
}

const singlePattern = (element: Element, parts: FoundParts): WidgetPattern => parts.patterns.get(element) ?? 'button';

function radioGroups(radios: readonly Element[]): FoundControl[] {
  const groups = new Map<unknown, FoundControl>();
  const forms = new Map<unknown, Map<string, object>>();
  for (const radio of radios) {
    const container = groupContainer(radio, ['radiogroup']);
    const key =
      nameKey(radio, forms) ?? container ?? groupContainer(radio, ['group', 'menu', 'row']) ?? commonBox(radio, radios);
    const group = groups.get(key) ?? { pattern: 'radio-group', members: [] };
    const box = container ?? groupContainer(radio, ['group']);
    if (box) group.container = box;
    group.members.push(radio);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => withOwnContainer(group, radios)).map(toRating);
}

/** Radio buttons of one form with one name are one question. */
function nameKey(radio: Element, forms: Map<unknown, Map<string, object>>): object | undefined {
  const name = tagOf(radio) === 'input' ? attribute(radio, 'name') : null;
  if (!name) return undefined;
  const { form } = radio as HTMLInputElement;
  const names = forms.get(form) ?? new Map<string, object>();
  forms.set(form, names);
  const key = names.get(name) ?? {};
  names.set(name, key);
  return key;
}

function groupContainer(element: Element, roles: readonly string[]): Element | undefined {
  for (const outer of ancestors(element, 15)) if (roles.includes(roleOf(outer))) return outer;
  return undefined;
}

/** The nearest ancestor that contains another of them. */
function commonBox(element: Element, others: readonly Element[]): Element | undefined {
  for (const outer of ancestors(element, 6))
    if (others.some((other) => other !== element && isWithin(outer, other))) return outer;
  return undefined;
}

/** A fieldset with other questions in it is not the container of this one. */
function withOwnContainer(group: FoundControl, all: readonly Element[]): FoundControl {
  const { container, members } = group;
  if (!container) return group;
  const isOwn =
    holdsOnly(container, members) && !all.some((other) => !members.includes(other) && isWithin(container, other));
  if (isOwn) return group;
  const { container: _, ...rest } = group;
  return rest;
}

const FIELDS =
  'input:not([type=hidden]):not([type=submit]):not([type=button]), select, textarea, [role~="combobox" i], [role~="slider" i]';

function holdsOnly(container: Element, members: readonly Element[]): boolean {
  return [...queryAll(container, FIELDS)].every(
    (field) => members.includes(field) || members.some((member) => isWithin(member, field)) || !isSeen(field),
  );
}

/** Three options or more that count from one are a rating. */
function toRating(group: FoundControl): FoundControl {
  const counts = group.members.every((member, index) => {
    const name = choiceName(member);
    return name.length < 30 && new RegExp(`(?<!\\d)${index + 1}(?!\\d)`).test(name);
  });
  return counts && group.members.length > 2 ? { ...group, pattern: 'rating' } : group;
}

function checkboxGroups(checkboxes: readonly Element[]): FoundControl[] {
  const groups = new Map<unknown, FoundControl>();
  const forms = new Map<unknown, Map<string, object>>();
  for (const checkbox of checkboxes) {
    const container = groupContainer(checkbox, ['group']);
    const isQuestion = container && nameOf(container) && holdsOnly(container, checkboxes);
    const key = isQuestion ? container : (nameKey(checkbox, forms) ?? checkbox);
    const group = groups.get(key) ?? { pattern: 'checkbox-group', members: [] };
    if (container) group.container = container;
    group.members.push(checkbox);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) =>
    group.members.length > 1
      ? withOwnContainer(group, checkboxes)
      : { pattern: 'checkbox' as const, members: group.members },
  );
}

const DATE_PARTS = new Set<MomentPart>(['year', 'month', 'day']);

/** Two or three fields of one group that are a year, a month, a day, or hours and minutes. */
function dateGroups(singles: readonly Element[]): { dates: FoundControl[]; rest: Element[] } {
  const byGroup = Map.groupBy(singles.filter(canBePart), (element) => groupContainer(element, ['group']));
  const dates: FoundControl[] = [];
  for (const [container, members] of byGroup) {
    if (!container || members.length < 2 || members.length > 7) continue;
    const kinds = members.map((member) => datePartOf(member, nameOf(member)));
    if (kinds.some((kind) => kind === undefined) || new Set(kinds).size !== kinds.length) continue;
    const hasDate = kinds.some((kind) => kind && DATE_PARTS.has(kind));
    const hasTime = kinds.some((kind) => kind && !DATE_PARTS.has(kind));
    dates.push({ pattern: hasDate ? (hasTime ? 'datetime' : 'date') : 'time', members, container });
  }
  const used = new Set(dates.flatMap(({ members }) => members));
  return { dates, rest: singles.filter((element) => !used.has(element)) };
}

const canBePart = (element: Element) => ['spinbutton', 'textbox', 'combobox'].includes(roleOf(element));

/** Questions that are rows of one table, with the answers as its columns, are one matrix. */
function toMatrices(groups: readonly FoundControl[]): FoundControl[] {
  const rest: FoundControl[] = [];
  const tables = new Map<Element, FoundControl>();
  for (const group of groups) {
    const row = group.members[0] && closest(group.members[0], 'tr, [role~="row" i]');
    const table = row && closest(row, 'table, [role~="table" i], [role~="grid" i]');
    const columns = table ? columnNames(table) : [];
    const isRow = row && group.members.length > 1 && group.members.every((member) => isWithin(row, member));
    if (!table || !isRow || columns.length < group.members.length) {
      rest.push(group);
      continue;
    }
    const matrix = tables.get(table) ?? { pattern: 'matrix', members: [], container: table, rows: [], columns };
    matrix.members.push(...group.members);
    matrix.rows?.push({ name: rowName(row), members: group.members });
    tables.set(table, matrix);
  }
  return [...tables.values(), ...rest];
}

function columnNames(table: Element): string[] {
  const row = queryAll(table, 'thead tr, [role~="row" i], tr')[0];
  if (!row || queryAll(row, 'input, [role~="radio" i], [role~="checkbox" i]').length > 0) return [];
  const cells = queryAll(row, 'th, td, [role~="columnheader" i]');
  return [...cells].map((cell) => shownText(cell, 100)).filter(Boolean);
}

export function rowName(row: Element): string {
  const header = queryAll(row, 'th, [role~="rowheader" i], td, [role~="cell" i]')[0];
  return (header && shownText(header, 200)) || tidyText(nameOf(row), 200);
}
