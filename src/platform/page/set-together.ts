import type { Page } from 'playwright-core';
import { firstWay } from './ladder.ts';
import { frameAt, type PageTools, withMarks } from './marks.ts';
import type { ControlKind, Ladder } from './model.ts';
import { isKept, optionMeant } from './same-value.ts';
import { type Fulfilled, foundBy, fulfil, type Wish, wishFor } from './set-at-once.ts';
import type { SetResult, Settable, Value } from './set-value.ts';
import { isLeaving } from './settle.ts';

/** One control on the way to be set. */
interface Step {
  kind: ControlKind;
  ladder: Ladder;
  wish: Wish;
}

/** A field as steps, and what they hold as what the field holds. */
interface Plan {
  steps: Step[];
  told(held: readonly Held[]): string;
}

type Held = Pick<Fulfilled, 'value' | 'checked'>;

/** How a field that was set together with others is read together with others. */
export interface Again extends Plan {
  page: Page;
}

/** So many at once that a page with hundreds of fields is not busy with one look for long. */
const MOST = 50;

/**
 * Sets several controls in one go, in their order, each only where it is proven to be the one that is meant. The answer has
 * those that were set, from the first on; the next one has to be set by itself.
 */
export async function setTogether(
  page: Page,
  settings: readonly { control: Settable; value: Value }[],
): Promise<SetResult[]> {
  const plans: Plan[] = [];
  for (const { control, value } of settings) {
    const plan = planFor(control, value);
    const first = (plans[0] ?? plan)?.steps[0];
    if (plans.length >= MOST || !plan || !first || plan.steps.some((step) => placeOf(step) !== placeOf(first))) break;
    plans.push(plan);
  }
  const wishes = plans.flatMap((plan) => plan.steps.map(({ wish }) => wish));
  const frame = wishes[0] && (await frameAt(page, wishes[0].frame));
  if (!frame) return [];
  const done = await fulfil(frame, wishes);
  const results: SetResult[] = [];
  let at = 0;
  for (const plan of plans) {
    const own = done.slice(at, at + plan.steps.length);
    at += plan.steps.length;
    if (own.length < plan.steps.length) break;
    results.push(resultOf(page, plan, own));
  }
  return results;
}

function resultOf(page: Page, plan: Plan, own: readonly Fulfilled[]): SetResult {
  const decisive = Math.max(
    0,
    plan.steps.findIndex(({ wish }) => wish.checked),
  );
  const step = plan.steps[decisive];
  const held = own[decisive];
  const locator = step && firstWay(page, step.ladder);
  if (!step || !held || !locator) throw new Error('a plan has steps');
  const again = { ...plan, page };
  const found = foundBy(locator, step.kind, held);
  const read = async () => (await readTogether([again]))[0] ?? '';
  return { readBack: plan.told(own), found: { ...found, read, again } };
}

/** How a box for text that was set by itself can be read together with others. */
export function readingOf(page: Page, { kind, ladder }: Settable): Again | undefined {
  if (kind === 'password' || kind === 'file') return undefined;
  const plan = planOf([stepFor(kind === 'typeahead' ? 'text' : kind, ladder, '')], plainly);
  return plan && { ...plan, page };
}

/**
 * What fields hold now that were set together; undefined where that cannot be said. `leaves`: the field that has the focus is
 * left first, since many a page looks at a value, and changes it, only then.
 */
export async function readTogether(fields: readonly Again[], { leaves = false } = {}): Promise<(string | undefined)[]> {
  const [first] = fields;
  if (!first) return [];
  const frames = Map.groupBy(
    fields.flatMap(({ steps }) => steps),
    placeOf,
  );
  const held = new Map<Step, Held | null>();
  for (const steps of frames.values()) {
    const frame = steps[0] && (await frameAt(first.page, steps[0].wish.frame));
    const wishes = steps.map(({ wish }) => wish);
    const reading = frame ? withMarks(frame, readInPage, { wishes, leaves }) : Promise.resolve([]);
    const now = await reading.catch((error: unknown) => {
      if (isLeaving(error)) return [];
      throw error;
    });
    for (const [i, step] of steps.entries()) held.set(step, now[i] ?? null);
  }
  return fields.map(({ steps, told }) => {
    const own = steps.map((step) => held.get(step) ?? undefined);
    const known = own.flatMap((one) => one ?? []);
    return known.length < steps.length ? undefined : told(known);
  });
}

/** In the page. What was set and is hidden since still holds what it was given; it has no name to prove it any more. */
function readInPage(
  { at, meant }: PageTools,
  { wishes, leaves }: { wishes: readonly Wish[]; leaves: boolean },
): (Held | null)[] {
  let active = leaves ? document.activeElement : null;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active instanceof HTMLElement && active !== document.body) active.blur();
  const isHidden = (element: Element) => !element.checkVisibility({ checkVisibilityCSS: true });
  return wishes.map((wish) => {
    const proven = meant(wish);
    const [element, ...others] = proven.length > 0 ? proven : at(wish.way).filter(isHidden);
    if (others.length > 0) return null;
    if (element instanceof HTMLInputElement) {
      const isSwitch = element.type === 'checkbox' || element.type === 'radio';
      return { value: element.value, checked: isSwitch ? element.checked : null };
    }
    const isField = element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
    return isField ? { value: element.value, checked: null } : null;
  });
}

/** Those of the same frame are set and read together. */
const placeOf = ({ wish }: Step) => wish.frame.join('\n');

const plainly = ([held]: readonly Held[]) =>
  held === undefined ? '' : held.checked === null ? held.value : String(held.checked);

function planFor(control: Settable, value: Value): Plan | undefined {
  switch (control.kind) {
    case 'radio-group':
    case 'checkbox-group':
      return planForOptions(control, typeof value === 'object' ? value : [String(value)]);
    case 'date-parts':
      return planForParts(control, String(value));
    case 'checkbox':
    case 'radio':
      return typeof value === 'boolean' ? planOf([stepFor(control.kind, control.ladder, value)], plainly) : undefined;
    default:
      if (typeof value === 'object') return undefined;
      return planOf([stepFor(control.kind, control.ladder, String(value))], plainly);
  }
}

function planForOptions({ kind, options = [] }: Settable, wanted: readonly string[]): Plan | undefined {
  const meant = wanted.map((each) => optionMeant(options, each));
  if (meant.length === 0 || meant.includes(undefined)) return undefined;
  const single = kind === 'radio-group' ? 'radio' : 'checkbox';
  const used = options.filter((option) => single === 'checkbox' || meant.includes(option));
  const steps = used.map((option) => stepFor(single, option.ladder, meant.includes(option)));
  return planOf(steps, (held) => used.flatMap((option, i) => (held[i]?.checked ? [option.value] : [])).join(', '));
}

function planForParts({ parts = [] }: Settable, value: string): Plan | undefined {
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!date || parts.some(({ control }) => control.kind === 'select')) return undefined;
  const of = { year: date[1] ?? '', month: date[2] ?? '', day: date[3] ?? '' };
  const steps = parts.map(({ part, control }) => stepFor(control.kind, control.ladder, of[part]));
  return planOf(steps, (held) =>
    parts.every(({ part }, i) => isKept(of[part], held[i]?.value ?? ''))
      ? value
      : held.map((each) => each.value).join('-'),
  );
}

function planOf(steps: readonly (Step | undefined)[], told: Plan['told']): Plan | undefined {
  const known = steps.flatMap((step) => step ?? []);
  return known.length === 0 || known.length < steps.length ? undefined : { steps: known, told };
}

function stepFor(kind: ControlKind, ladder: Ladder, value: string | boolean): Step | undefined {
  const wish = wishFor(kind, ladder, value);
  return wish && { kind, ladder, wish };
}
