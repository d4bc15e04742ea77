import type { Rung } from '../../platform/page/page-model.ts';
import { attribute, byId, childrenOf, closest, parentOf, queryAll, rootOf, tagOf, windowOf } from './tree.ts';

const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-qa', 'data-cy', 'data-automation-id'];
const MAX_VALUE = 200;
const MAX_STEPS = 8;

/** What is known of all controls of a reading: how often a name is used, and the positions of elements among their siblings. */
export class LocatorContext {
  #counts = new Map<string, number>();
  #steps = new Map<Element, Map<Element, string>>();

  /** The element among its siblings, as a step of a path. */
  stepOf(element: Element): string {
    const parent = element.parentElement;
    if (!parent) return tagOf(element);
    const known = this.#steps.get(parent) ?? this.#numberChildren(parent);
    return known.get(element) ?? tagOf(element);
  }

  #numberChildren(parent: Element): Map<Element, string> {
    const steps = new Map<Element, string>();
    for (const [tag, twins] of Map.groupBy(childrenOf(parent), tagOf))
      for (const [index, twin] of twins.entries())
        steps.set(twin, twins.length > 1 ? `${tag}:nth-of-type(${index + 1})` : tag);
    this.#steps.set(parent, steps);
    return steps;
  }

  add(role: string, name: string): void {
    const key = `${role}\n${name}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  isUnique(role: string, name: string): boolean {
    return name !== '' && this.#counts.get(`${role}\n${name}`) === 1;
  }
}

/** Ways to find an element again, best first; each leads to it alone. */
export function locatorsOf(element: Element, role: string, name: string, context: LocatorContext): Rung[] {
  const rungs: Rung[] = [];
  for (const key of TEST_IDS)
    add(rungs, element, { by: 'test-id', attribute: key, value: attribute(element, key) ?? '' });
  if (role && context.isUnique(role, name)) rungs.push({ by: 'role', role, value: name });
  const tag = tagOf(element);
  add(rungs, element, { by: 'name', tag, value: attribute(element, 'name') ?? '' });
  const id = attribute(element, 'id') ?? '';
  if (id && id.length < MAX_VALUE && byId(element, id) === element) rungs.push({ by: 'id', value: id });
  add(rungs, element, { by: 'placeholder', value: attribute(element, 'placeholder') ?? '' });
  if (rungs.length === 0) rungs.push({ by: 'css', value: pathOf(element, context) });
  return withFrames(rungs, element);
}

function add(rungs: Rung[], element: Element, rung: Rung): void {
  if (!rung.value || rung.value.length > MAX_VALUE) return;
  const key = rung.by === 'test-id' ? rung.attribute : rung.by;
  if (count(element, `${rung.tag ?? ''}[${key}=${CSS.escape(rung.value)}]`) === 1) rungs.push(rung);
}

function count(element: Element, selector: string): number {
  const root = rootOf(element);
  return root.nodeType === Node.DOCUMENT_NODE
    ? Document.prototype.querySelectorAll.call(root, selector).length
    : (root as ShadowRoot).querySelectorAll(selector).length;
}

/** From the nearest ancestor with an id. */
function pathOf(element: Element, context = new LocatorContext()): string {
  const steps: string[] = [];
  for (let at: Element | null = element; at && steps.length < MAX_STEPS; at = parentOf(at)) {
    const id = attribute(at, 'id');
    if (id && byId(at, id) === at) return [`#${CSS.escape(id)}`, ...steps].join(' > ');
    if (tagOf(at) === 'body') return ['body', ...steps].join(' > ');
    steps.unshift(context.stepOf(at));
    if (!at.parentElement) break;
  }
  return steps.join(' > ');
}

/** A frame of the same origin is entered by a selector of its element. */
function withFrames(rungs: Rung[], element: Element): Rung[] {
  const path: string[] = [];
  for (let frame = windowOf(element).frameElement; frame; frame = windowOf(frame).frameElement)
    path.unshift(frameSelector(frame));
  return path.length > 0 ? rungs.map((rung) => ({ ...rung, frame: path })) : rungs;
}

export function frameSelector(frame: Element): string {
  for (const key of ['id', 'name', 'title']) {
    const value = attribute(frame, key);
    const selector = `${tagOf(frame)}[${key}=${JSON.stringify(value)}]`;
    if (value && value.length < MAX_VALUE && !/["\\\n]/.test(value) && count(frame, selector) === 1) return selector;
  }
  return pathOf(frame);
}

/** What a person reads before or above a control that has no name. `read` answers null for a box that goes beyond the control. */
export function nearbyText(element: Element, read: (box: Element) => string | null): string {
  const cell = closest(element, 'td, [role~="gridcell" i], [role~="cell" i]');
  const header = cell && columnHeader(cell);
  if (header) return header;
  for (let at = parentOf(element), depth = 0; at && depth < 4; at = parentOf(at), depth++) {
    if (tagOf(at) === 'form' || tagOf(at) === 'body') break;
    const text = read(at);
    if (text !== '') return text ?? '';
  }
  return '';
}

function columnHeader(cell: Element): string {
  const table = closest(cell, 'table, [role~="table" i], [role~="grid" i]');
  const row = table && queryAll(table, 'thead tr, [role~="row" i]')[0];
  const cells = row ? [...row.children] : [];
  const index = cell.parentElement ? [...cell.parentElement.children].indexOf(cell) : -1;
  return cells.length === cell.parentElement?.children.length ? (cells[index]?.textContent ?? '').trim() : '';
}
