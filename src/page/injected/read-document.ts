import type {
  ControlGroup,
  PageControl,
  PageData,
  PageMessage,
  PageRegion,
  UnknownControl,
  WidgetState,
} from '../snapshot/page-snapshot.ts';
import { descriptionOf, labelsOf, nameOf, roleOf } from './accessibility.ts';
import { type FoundControl, groupControls } from './control-groups.ts';
import { refOf } from './element-refs.ts';
import { errorOf } from './field-errors.ts';
import { type FoundParts, findParts, isGroupRole } from './found-parts.ts';
import { isSeen } from './geometry.ts';
import { frameSelector, LocatorContext, locatorsOf, nearbyText } from './locators.ts';
import { dataOf, messagesOf } from './page-content.ts';
import { shownText, tidyText } from './text.ts';
import { ancestors, attribute, isWithin, matches, queryAll, tagOf } from './tree.ts';
import { widgetConstraints, widgetState } from './widget-state.ts';
import { choiceName, shownValue, toOption, widgetOptions } from './widget-value.ts';

export interface ReadingLimits {
  maxControls: number;
  maxOptions: number;
  maxRows: number;
}

/** A part with its position in the document, and its parent as a position too. */
export type Placed<Part> = Omit<Part, 'id' | 'parent' | 'element'> & {
  at: number;
  parentAt: number | null;
  ref: string;
};

/** What one document shows, with the documents of frames that scripts may enter. Plain data. */
export interface DocumentReading {
  title: string;
  language: string;
  regions: Placed<PageRegion>[];
  groups: Placed<ControlGroup>[];
  controls: Placed<PageControl>[];
  unknown: Placed<UnknownControl>[];
  messages: Placed<Omit<PageMessage, 'control'>>[];
  data: Placed<PageData>[];
  omitted: string[];
  /** Frames whose document this world cannot enter. */
  frames: { ref: string; selector: string; at: number; parentAt: number | null }[];
}

export function readDocument(limits: ReadingLimits): DocumentReading {
  const parts = findParts(document.documentElement);
  const found = groupControls(parts);
  const listed = found.slice(0, limits.maxControls);
  const merged = new Set(found.flatMap(({ container }) => container ?? []));
  const positionOf = placing(parts, merged);
  const names = new LocatorContext();
  const named = listed.map((control) => ({ control, ...identity(control) }));
  for (const { role, name } of named) names.add(role, name);
  const content = dataOf(parts, limits.maxRows);
  const omitted: string[] = [];
  if (parts.isCut) omitted.push('parts of a page with very many elements');
  if (found.length > listed.length) omitted.push(`${found.length - listed.length} of ${found.length} controls`);
  if (content.left > 0) omitted.push(`${content.left} rows, items and paragraphs`);
  return {
    title: tidyText(document.title),
    language: tidyText(attribute(document.documentElement, 'lang'), 35),
    ...containersOf(parts, merged, positionOf),
    controls: named.map(({ control, role, name }) => ({
      ...positionOf(control.members[0], control.members, control.container),
      role,
      name: name || unnamed(control),
      ...readControl(control, limits),
      locators: locatorsOf(control.container ?? first(control), role, name, names),
    })),
    unknown: parts.unclear.slice(0, limits.maxControls).map(({ element, reason }) => ({
      ...positionOf(element),
      role: parts.roles.get(element) ?? '',
      name: nameOf(element) || shownText(element, 100),
      reason,
    })),
    messages: messagesOf(parts).map(({ element, role, name, text }) => ({ ...positionOf(element), role, name, text })),
    data: content.data.map(({ element, ...rest }) => ({ ...positionOf(element), ...rest })),
    omitted,
    frames: parts.frames.flatMap((element) => {
      const isForeign = (element as HTMLIFrameElement).contentDocument === null;
      return isForeign ? { ...positionOf(element), selector: frameSelector(element) } : [];
    }),
  };
}

type PositionOf = (
  element: Element | undefined,
  members?: readonly Element[],
  container?: Element,
) => {
  at: number;
  parentAt: number | null;
  ref: string;
};

/** Positions, and the nearest region or group around an element; containers that are controls themselves are none. */
function placing(parts: FoundParts, merged: ReadonlySet<Element>): PositionOf {
  const containers = new Set(parts.containers.filter((element) => !merged.has(element)));
  const known = new Map<Element, number | null>();
  const parentOf = (element: Element): number | null => {
    const path: Element[] = [];
    let found: number | null = null;
    for (const outer of ancestors(element)) {
      const cached = known.get(outer);
      if (cached !== undefined || containers.has(outer)) {
        found = containers.has(outer) ? (parts.order.get(outer) ?? null) : (cached ?? null);
        break;
      }
      path.push(outer);
    }
    for (const outer of path) known.set(outer, found);
    return found;
  };
  return (element, members = element ? [element] : [], container) => ({
    at: (element && parts.order.get(element)) ?? 0,
    parentAt: element ? parentOf(container ?? element) : null,
    ref: container ? refOf(container) : refOf(...members),
  });
}

function containersOf(parts: FoundParts, merged: ReadonlySet<Element>, positionOf: PositionOf) {
  const regions: DocumentReading['regions'] = [];
  const groups: DocumentReading['groups'] = [];
  for (const element of parts.containers) {
    const role = parts.roles.get(element) ?? '';
    if (merged.has(element) || !isSeen(element)) continue;
    const common = { ...positionOf(element), role, name: containerName(element) };
    if (isGroupRole(role)) groups.push({ ...common, description: descriptionOf(element), error: '' });
    else regions.push({ ...common, isModal: matches(element, ':modal, [aria-modal="true" i]') });
  }
  return { regions, groups };
}

const containerName = (element: Element) =>
  tagOf(element) === 'table' || attribute(element, 'role') !== null || hasName(element) ? nameOf(element) : '';
const hasName = (element: Element) => matches(element, 'fieldset, details, [aria-label], [aria-labelledby], [title]');

const first = ({ members }: FoundControl): Element => members[0] ?? document.documentElement;

function identity(control: FoundControl): { role: string; name: string } {
  const { container, members, pattern } = control;
  if (members.length === 1 && !container) return { role: singleRole(control), name: nameOf(first(control)) };
  const role = { 'radio-group': 'radiogroup', rating: 'radiogroup', matrix: 'table' }[pattern as string] ?? 'group';
  return { role, name: container ? groupName(container) : '' };
}

/** Its own name, or that of the nearest group around it. A table has no name by its content. */
function groupName(container: Element): string {
  for (const outer of [container, ...ancestors(container, 6)]) {
    const isNamed = hasName(outer) || (tagOf(outer) === 'table' && outer.querySelector('caption') !== null);
    const name = isNamed ? nameOf(outer) : '';
    if (name) return name;
  }
  return '';
}

function singleRole({ pattern, members: [element] }: FoundControl): string {
  return element && pattern === 'radio-group' ? 'radio' : element ? roleOf(element) : '';
}

/** A group without a name of its own is named by the text before it. */
function unnamed(control: FoundControl): string {
  const own = new Set(control.members);
  const labels = new Set(control.members.flatMap(labelsOf));
  const isContent = (inner: Element) =>
    own.has(inner) ||
    labels.has(inner) ||
    matches(inner, 'button, input, select, textarea, [role~="option" i], [role~="radio" i]');
  return nearbyText(control.container ?? first(control), (box) => {
    if (!control.members.every((member) => isWithin(box, member))) return '';
    if ([...queryAll(box, FIELDS)].some((other) => isForeign(other, control))) return null;
    return shownText(box, 150, isContent);
  });
}

const FIELDS =
  'input:not([type=hidden]), select, textarea, [role~="radio" i], [role~="combobox" i], [role~="slider" i]';

function isForeign(other: Element, { members, container }: FoundControl): boolean {
  if (container && isWithin(container, other)) return false;
  return isSeen(other) && !members.some((member) => isWithin(member, other) || isWithin(other, member));
}

type Read = Pick<
  Placed<PageControl>,
  'pattern' | 'description' | 'placeholder' | 'value' | 'state' | 'constraints' | 'options' | 'optionCount' | 'error'
>;

function readControl(control: FoundControl, { maxOptions }: ReadingLimits): Read {
  const { pattern, members, container } = control;
  const element = first(control);
  const isGroup = members.length > 1 || container !== undefined;
  return {
    pattern,
    description: describe(container ?? element),
    placeholder: tidyText(attribute(element, 'placeholder') ?? attribute(element, 'aria-placeholder'), 200),
    state: isGroup ? groupState(control) : widgetState(element),
    constraints: isGroup ? { isMultiple: pattern === 'checkbox-group' } : widgetConstraints(element),
    error: errorOf(members),
    ...(isGroup || pattern === 'radio-group'
      ? groupValue(control, maxOptions)
      : { value: shownValue(element, pattern), ...choices(control, maxOptions) }),
  };
}

const describe = (element: Element) =>
  matches(element, '[aria-describedby], [title], [aria-description]') ? descriptionOf(element) : '';

function choices({ pattern, members: [element] }: FoundControl, maxOptions: number) {
  const hasOptions = element && ['combobox', 'listbox', 'text'].includes(pattern);
  return hasOptions ? widgetOptions(element, maxOptions) : { options: [], optionCount: 0 };
}

function groupState({ members, container }: FoundControl): WidgetState {
  const states = members.map(widgetState);
  const own = container ? widgetState(container) : undefined;
  return {
    isDisabled: states.every(({ isDisabled }) => isDisabled),
    isReadOnly: states.every(({ isReadOnly }) => isReadOnly),
    isRequired: own?.isRequired === true || states.some(({ isRequired }) => isRequired),
    isInvalid: own?.isInvalid === true || states.some(({ isInvalid }) => isInvalid),
    isObscured: states.every(({ isObscured }) => isObscured),
  };
}

function groupValue(
  { pattern, members, rows, columns = [] }: FoundControl,
  maxOptions: number,
): Pick<Read, 'value' | 'options' | 'optionCount'> {
  if (rows) {
    const value = Object.fromEntries(
      rows.map(({ name, members: cells }) => [
        name,
        cells
          .flatMap((cell, index) =>
            toOption(cell).isSelected ? (columns[columns.length - cells.length + index] ?? '') : [],
          )
          .join(', '),
      ]),
    );
    const options = columns
      .slice(-(rows[0]?.members.length ?? 0))
      .map((name) => ({ name, value: '', isSelected: false, isDisabled: false }));
    return { value, options, optionCount: options.length };
  }
  if (pattern === 'date' || pattern === 'time' || pattern === 'datetime') {
    const texts = members.map((member) =>
      shownValue(member, tagOf(member) === 'select' ? 'combobox' : matches(member, 'input') ? 'text' : 'spinbutton'),
    );
    return { value: texts.every(Boolean) ? texts.join(' ') : '', options: [], optionCount: 0 };
  }
  const options = members.slice(0, maxOptions).map((member) => ({ ...toOption(member), name: choiceName(member) }));
  const chosen = options.filter(({ isSelected }) => isSelected).map(({ name }) => name);
  return { value: pattern === 'checkbox-group' ? chosen : (chosen[0] ?? null), options, optionCount: members.length };
}
