import type { Page } from 'playwright-core';
import type { ControlContext } from '../in-page/control-context.ts';
import type { HiddenCompanions } from '../in-page/hidden-companions.ts';
import { firstLocator } from '../locate/element-finder.ts';
import { evaluateWithTools, findFrame, type InPageTools } from '../locate/element-target.ts';
import { isContextLostError } from '../settle/settle.ts';
import { type ClickGuard, type ClickGuardInPage, clickGuardScript } from './click-guard.ts';
import type { AppliedRequest, BatchReading, ControlRequest, SetPlan, SetStep, StepValue } from './control-request.ts';
import { applyRequests, type PlainControl, toControlRequest, toFoundElement } from './set-plain-control.ts';
import type { ControlValue, SetResult, SettableControl } from './settable-control.ts';
import { findOption, isValueKept } from './value-comparison.ts';

/** So many at once that a page with hundreds of fields is not busy with one look for long. */
const MOST = 50;

/**
 * Sets several controls in one go, in their order, each only where it is proven to be the one that is meant. The answer has
 * those that were set, from the first on; the next one has to be set by itself.
 */
export async function setMany(
  page: Page,
  settings: readonly { control: SettableControl; value: ControlValue }[],
): Promise<SetResult[]> {
  const plans: SetPlan[] = [];
  for (const { control, value } of settings) {
    const plan = planFor(control, value);
    const first = (plans[0] ?? plan)?.steps[0];
    if (plans.length >= MOST || !plan || !first || plan.steps.some((step) => originKey(step) !== originKey(first)))
      break;
    plans.push(plan);
  }
  const requests = plans.flatMap((plan) => plan.steps.map(({ request }) => request));
  const frame = requests[0] && (await findFrame(page, requests[0].frame));
  if (!frame) return [];
  const done = await applyRequests(frame, requests);
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

function resultOf(page: Page, plan: SetPlan, own: readonly AppliedRequest[]): SetResult {
  const decisive = Math.max(
    0,
    plan.steps.findIndex(({ request }) => request.checked),
  );
  const step = plan.steps[decisive];
  const stepValues = own[decisive];
  const locator = step && firstLocator(page, step.ladder);
  if (!step || !stepValues || !locator) throw new Error('a plan has steps');
  const again = { ...plan, page };
  const found = toFoundElement(locator, step.kind, stepValues);
  const read = async () => (await readMany([again]))[0] ?? '';
  return { readBack: plan.describeValue(own), found: { ...found, read, again } };
}

/** How a field that was set by itself can be read together with others, where every element of it was found by its first way. */
export function toBatchReading(page: Page, control: SettableControl, value: ControlValue): BatchReading | undefined {
  const { kind } = control;
  if (kind === 'password' || kind === 'file') return undefined;
  const plan = planFor({ ...control, kind: kind === 'typeahead' ? 'text' : kind }, value);
  return plan && { ...plan, page };
}

/** How a control is looked at together with others that nobody has said anything about: what is off or chosen stays so. */
export function toUnaskedReadings(page: Page, { name, kind, ladder, options = [] }: SettableControl): BatchReading[] {
  if (!['checkbox', 'checkbox-group', 'radio-group', 'select'].includes(kind)) return [];
  const single = kind === 'radio-group' ? 'radio' : 'checkbox';
  const isList = kind === 'select';
  const ways = isList || options.length === 0 ? [ladder] : options.map((option) => option.ladder);
  return ways.flatMap((way) => {
    const again = isList
      ? toBatchReading(page, { name, kind, ladder: way }, '')
      : toBatchReading(page, { name, kind: single, ladder: way }, false);
    const steps = again?.steps.map((step) => ({ ...step, request: { ...step.request, isUnasked: true } }));
    return again && steps ? [{ ...again, steps }] : [];
  });
}

interface ControlStateOptions {
  /** The field that has the focus is left first, since many a page looks at a value, and changes it, only then. */
  leaves?: boolean;
  /** The next click is let through only while they hold what they hold now; `more`: there is a guard already. */
  guards?: 'anew' | 'more' | null;
  /** What stands around each is looked at too. */
  around?: boolean;
}

/** What a field holds now; undefined where that cannot be said. */
export interface ControlState {
  value: string | undefined;
  /** It cannot be changed any more, and is not sent. */
  isDisabled: boolean;
  /** Neither it nor a label of it can be seen. */
  isHidden: boolean;
  /** Where that was asked for: of a field in parts, that of the first. */
  around?: ControlContext | undefined;
  /** What a form would send of it, by the names of its elements. */
  entries?: FormEntry[];
}

export interface FormEntry {
  name: string;
  value: string;
  /** It was typed, rather than chosen. */
  isText: boolean;
  /** Of a button or a box; what is off is sent as that, or not at all. */
  checked?: boolean | null;
  /** Values and names of what is chosen, and of what else could have been. */
  own?: readonly string[];
  others?: readonly string[];
}

/** What fields hold now that were set together; undefined where that cannot be said. */
export async function readMany(
  fields: readonly BatchReading[],
  looking: ControlStateOptions = {},
): Promise<(string | undefined)[]> {
  return (await readControlStates(fields, looking)).map(({ value }) => value);
}

export async function readControlStates(
  fields: readonly BatchReading[],
  { leaves = false, guards = null, around = false }: ControlStateOptions = {},
): Promise<ControlState[]> {
  const [first] = fields;
  if (!first) return [];
  const frames = Map.groupBy(
    fields.flatMap(({ steps }) => steps),
    originKey,
  );
  const stepValues = new Map<SetStep, StepState | null>();
  for (const steps of frames.values()) {
    const frame = steps[0] && (await findFrame(first.page, steps[0].request.frame));
    const requests = steps.map(({ request }) => request);
    const look = { requests, leaves, guards, around };
    const reading = frame
      ? evaluateWithTools(frame, readInPage, look, { more: clickGuardScript, around })
      : Promise.resolve([]);
    const now = await reading.catch((error: unknown) => {
      if (isContextLostError(error)) return [];
      throw error;
    });
    for (const [i, step] of steps.entries()) stepValues.set(step, now[i] ?? null);
  }
  return fields.map(({ steps, describeValue }) => {
    const known = steps.flatMap((step) => stepValues.get(step) ?? []);
    return {
      value: known.length < steps.length ? undefined : describeValue(known),
      isDisabled: known.some(({ isDisabled }) => isDisabled),
      isHidden: known.length > 0 && known.every(({ isHidden }) => isHidden),
      around: known[0]?.around ?? undefined,
      entries: known.flatMap(({ name, value, checked, isText, own, others, isBox, isUnasked }) =>
        name && (checked !== false || isBox || isUnasked) ? [{ name, value, isText, checked, own, others }] : [],
      ),
    };
  });
}

interface StepState extends StepValue {
  isDisabled: boolean;
  isHidden: boolean;
  around: ControlContext | null;
  name: string;
  isText: boolean;
  isBox: boolean;
  isUnasked: boolean;
  own: string[];
  others: string[];
}

/** In the page. What was set and is hidden since still holds what it was given; it has no name to prove it any more. */
function readInPage(
  { at, meant, aroundOf }: InPageTools,
  { requests, leaves, guards, around }: { requests: readonly ControlRequest[] } & Required<ControlStateOptions>,
  guardIn: ClickGuardInPage,
): (StepState | null)[] {
  let active = leaves ? document.activeElement : null;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active instanceof HTMLElement && active !== document.body) active.blur();
  const there: ClickGuard | undefined = Reflect.get(window, Symbol.for('assay.guard'));
  const guard = guards === 'more' && there ? there : guards ? guardIn() : undefined;
  const companions: HiddenCompanions | undefined = Reflect.get(window, Symbol.for('assay.companions'));
  const isHidden = (element: Element) => !element.checkVisibility({ checkVisibilityCSS: true });
  const theOne = (request: ControlRequest): Element | undefined => {
    const proven = meant(request);
    const [element, ...others] = proven.length > 0 ? proven : at(request.way).filter(isHidden);
    return others.length > 0 ? undefined : element;
  };
  // Lists of thousands are not carried about.
  const MOST_OPTIONS = 300;
  const called = (element: HTMLInputElement) => [element.value, ...[...(element.labels ?? [])].map(textIn)];
  const textIn = ({ textContent }: Element) => (textContent ?? '').trim().slice(0, 100);
  const choicesOf = (element: Element): { own: string[]; others: string[] } => {
    if (element instanceof HTMLSelectElement && element.options.length <= MOST_OPTIONS) {
      const named = (isOn: boolean) => [...element.options].filter(({ selected }) => selected === isOn);
      const [own = [], others = []] = [true, false].map((isOn) =>
        named(isOn).flatMap(({ value, label }) => [value, label]),
      );
      return { own, others };
    }
    if (!(element instanceof HTMLInputElement) || !/^(?:radio|checkbox)$/.test(element.type))
      return { own: [], others: [] };
    const root = element.getRootNode();
    const isOther = (each: HTMLInputElement) =>
      each !== element && each.name === element.name && each.form === element.form;
    const radios =
      root instanceof Document || root instanceof ShadowRoot
        ? root.querySelectorAll<HTMLInputElement>('input[type=radio]')
        : [];
    const others = element.type === 'radio' ? [...radios].filter(isOther).slice(0, MOST_OPTIONS) : [];
    return { own: called(element), others: others.flatMap(called) };
  };
  return requests.map((request) => {
    const element = theOne(request);
    const isInput = element instanceof HTMLInputElement;
    if (!isInput && !(element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement)) return null;
    const isOut = [element, ...(element.labels ?? [])].every(isHidden);
    const isUnasked = request.isUnasked === true;
    // What nobody was asked is the page's own affair; but a box that is on says yes.
    if (isUnasked && isOut && element.type !== 'checkbox') return null;
    guard?.add(element, () => theOne(request), isUnasked);
    const beside = companions?.get(element) ?? [];
    // What was chosen is gone, although its name is still to be seen.
    if ([...beside].some(([each]) => each.isConnected && each.value === '')) return null;
    const isSwitch = isInput && (element.type === 'checkbox' || element.type === 'radio');
    return {
      value: element.value,
      checked: isSwitch ? element.checked : null,
      isDisabled: element.matches(':disabled'),
      isHidden: isOut,
      around: (around && aroundOf?.(element)) || null,
      name: element.name,
      isText: !isSwitch && !(element instanceof HTMLSelectElement),
      isBox: element.type === 'checkbox',
      isUnasked,
      ...choicesOf(element),
    };
  });
}

/** Those of the same frame are set and read together. */
const originKey = ({ request }: SetStep) => request.frame.join('\n');

const toPlainText = ([stepValues]: readonly StepValue[]) =>
  stepValues === undefined ? '' : stepValues.checked === null ? stepValues.value : String(stepValues.checked);

function planFor(control: SettableControl, value: ControlValue): SetPlan | undefined {
  switch (control.kind) {
    case 'radio-group':
    case 'checkbox-group':
      return planForOptions(control, typeof value === 'object' ? value : [String(value)]);
    case 'date-parts':
      return planForParts(control, String(value));
    case 'checkbox':
    case 'radio':
      return typeof value === 'boolean' ? planOf([stepFor(control, value)], toPlainText) : undefined;
    default:
      if (typeof value === 'object') return undefined;
      return planOf([stepFor(control, String(value))], toPlainText);
  }
}

function planForOptions({ kind, options = [] }: SettableControl, wanted: readonly string[]): SetPlan | undefined {
  const meant = wanted.map((each) => findOption(options, each));
  if (meant.length === 0 || meant.includes(undefined)) return undefined;
  const single = kind === 'radio-group' ? 'radio' : 'checkbox';
  const used = options.filter((option) => single === 'checkbox' || meant.includes(option));
  const steps = used.map((option) => stepFor({ kind: single, ladder: option.ladder }, meant.includes(option)));
  return planOf(steps, (stepValues) =>
    used.flatMap((option, i) => (stepValues[i]?.checked ? [option.value] : [])).join(', '),
  );
}

function planForParts({ parts = [] }: SettableControl, value: string): SetPlan | undefined {
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!date || parts.some(({ control }) => control.kind === 'select')) return undefined;
  const of = { year: date[1] ?? '', month: date[2] ?? '', day: date[3] ?? '' };
  const steps = parts.map(({ part, control }) => stepFor({ kind: control.kind, ladder: control.ladder }, of[part]));
  return planOf(steps, (stepValues) =>
    parts.every(({ part }, i) => isValueKept(of[part], stepValues[i]?.value ?? ''))
      ? value
      : stepValues.map((each) => each.value).join('-'),
  );
}

function planOf(steps: readonly (SetStep | undefined)[], describeValue: SetPlan['describeValue']): SetPlan | undefined {
  const known = steps.flatMap((step) => step ?? []);
  return known.length === 0 || known.length < steps.length ? undefined : { steps: known, describeValue };
}

function stepFor(control: PlainControl, value: string | boolean): SetStep | undefined {
  const request = toControlRequest(control, value);
  return request && { kind: control.kind, ladder: control.ladder, request };
}
