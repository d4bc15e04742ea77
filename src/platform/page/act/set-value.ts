import type { Page } from 'playwright-core';
import { Failure, quote } from '../../errors.ts';
import { type FindElementOptions, type FoundElement, findByLadder } from '../locate/element-finder.ts';
import { rungToSelector } from '../locate/rung-selector.ts';
import type { ControlKind, Ladder } from '../page-model.ts';
import { actionFailure } from './action-failure.ts';
import { readElementFacts, waitForElementFacts } from './element-value.ts';
import { chooseFromListbox, chooseFromSuggestions, optionNotFound } from './option-choice.ts';
import { setChecked } from './set-checked.ts';
import { toBatchReading } from './set-many.ts';
import { optionLabel, setPlainControl } from './set-plain-control.ts';
import { selectDatePart, selectOptions } from './set-selected.ts';
import { checkValueKept, fillText, valueNotKept } from './set-text.ts';
import type { ControlValue, HealedElement, SetResult, SettableControl } from './settable-control.ts';
import { findOption, isValueKept } from './value-comparison.ts';

export interface SetOptions extends FindElementOptions {
  /** A text is typed key by key, since some pages hear nothing else. */
  byKeys?: boolean;
}

interface SetContext {
  page: Page;
  what: string;
  timeoutMs: number;
  byKeys: boolean;
  signal: AbortSignal | undefined;
  pending: (() => number) | undefined;
}

/** Finds a control, sets it by value and reads it back. Throws a Failure when the page holds something else afterwards. */
export async function setControl(
  page: Page,
  control: SettableControl,
  value: ControlValue,
  { timeoutMs = 5_000, signal, pending, byKeys = false }: SetOptions = {},
): Promise<SetResult> {
  const setting = { page, what: `The field ${quote(control.name)}`, timeoutMs, signal, pending, byKeys };
  switch (control.kind) {
    case 'radio-group':
      return setOptions(setting, control, [String(value)], 'radio');
    case 'checkbox-group':
      return setOptions(setting, control, listOf(value), 'checkbox');
    case 'date-parts':
      return setParts(setting, control, String(value));
    default: {
      const quick = byKeys ? undefined : await quickly(page, control, value);
      if (quick) return quick;
      const found = await findByLadder(page, control.ladder, { kind: control.kind }, setting);
      const list =
        found.facts.tag === 'select' && (await selectOptions(found, listOf(value), setting, control.options));
      const isSecret = found.facts.type === 'password';
      const now = list ? list.readBack : await setFound(setting, found, control, value);
      const readBack = isSecret ? '' : now;
      // What is secret is compared in its own way, which gives nothing away; and only controls of HTML are read together.
      const isPlain = found.rung === 0 && found.target !== undefined && !isSecret && isNative(found);
      const again = isPlain ? toBatchReading(page, control, value) : undefined;
      const read = reader(found, control.kind, value, readBack);
      const heals = [...toHealedElement(found, control.ladder), ...(list ? list.renamed.map(byName) : [])];
      return { readBack, found: { ...found, read, ...(again && { again }) }, heals };
    }
  }
}

const byName = ({ value, label }: { value: string; label: string }): HealedElement => ({
  option: value,
  key: 'value',
  from: value,
  to: label,
  rung: 0,
});

function toHealedElement(
  { healed, rung }: FoundElement,
  ladder: Ladder,
  of: Pick<HealedElement, 'part' | 'option'> = {},
): HealedElement[] {
  const [first] = ladder;
  const used = ladder[rung];
  return healed && first && used ? [{ ...of, from: rungToSelector(first), to: rungToSelector(used), rung }] : [];
}

/** The usual case: a plain control, where it is expected. */
async function quickly(page: Page, control: SettableControl, value: ControlValue): Promise<SetResult | undefined> {
  const isSwitch = control.kind === 'checkbox' || control.kind === 'radio';
  const wanted = isSwitch ? onOrOff(value) : typeof value === 'object' ? undefined : String(value);
  if (wanted === undefined) return undefined;
  const done = await setPlainControl(page, control, wanted);
  if (!done) return undefined;
  const { found, readBack } = done;
  const again = toBatchReading(page, control, wanted);
  const read = reader(found, control.kind, value, readBack);
  return { readBack, found: { ...found, read, ...(again && { again }) } };
}

/** An element that has a value of its own, rather than one that scripts give it by what it says. */
const isNative = ({ facts: { tag } }: FoundElement) => ['input', 'select', 'textarea'].includes(tag);

/** What a control that was found or set holds now. */
export async function readValue(found: FoundElement): Promise<string> {
  if (found.read) return found.read();
  const { value, checked } = await readElementFacts(found);
  return checked === null ? value : String(checked);
}

/** Reads a control again in the form in which it was read back. */
function reader(found: FoundElement, kind: ControlKind, asked: ControlValue, readBack: string): () => Promise<string> {
  return async () => {
    if (found.facts.type === 'password') return (await found.locator.inputValue()) === String(asked) ? '' : '(changed)';
    const now = await readElementFacts(found);
    if (now.checked !== null) return String(now.checked);
    const isList = kind === 'listbox' || found.facts.kind === 'listbox';
    if (isList) return now.chosen.some((each) => isValueKept(readBack, each)) ? readBack : now.value;
    return now.value;
  };
}

function listOf(value: ControlValue): readonly string[] {
  return typeof value === 'object' ? value : [String(value)];
}

async function setFound(
  setting: SetContext,
  found: FoundElement,
  control: SettableControl,
  value: ControlValue,
): Promise<string> {
  switch (control.kind) {
    case 'radio':
    case 'checkbox':
    case 'switch':
      return setOne(setting, found, value);
    case 'select':
    case 'multi-select':
    case 'listbox': {
      // A list that the page draws by its own means is chosen from by what its options say.
      const called = optionLabel(control.options, String(value)) || String(value);
      return checkValueKept(setting, called, await chooseFromListbox(found, called, setting));
    }
    case 'typeahead': {
      const { value: now, names } = await chooseFromSuggestions(found, String(value), setting);
      return names.some((name) => isValueKept(name, now)) ? now : checkValueKept(setting, String(value), now);
    }
    case 'file':
      return attach(setting, found, listOf(value));
    default:
      return fillText(setting, found, String(value));
  }
}

async function setOne(setting: SetContext, found: FoundElement, value: ControlValue): Promise<string> {
  const wanted = onOrOff(value);
  if (wanted === undefined)
    throw new Failure('bad_input', 'VALUE_REFUSED', `${setting.what} is on or off: give true or false.`);
  if (await setChecked(found, wanted, setting)) return String(wanted);
  throw valueNotKept(setting.what, `it is ${wanted ? 'off' : 'on'} although it was clicked`);
}

function onOrOff(value: ControlValue): boolean | undefined {
  const text = String(value).toLowerCase();
  if (['true', 'yes', 'on', 'checked', '1'].includes(text)) return true;
  return ['false', 'no', 'off', 'unchecked', '0', ''].includes(text) ? false : undefined;
}

async function setOptions(
  setting: SetContext,
  control: SettableControl,
  wanted: readonly string[],
  kind: 'radio' | 'checkbox',
): Promise<SetResult> {
  const { page, what, timeoutMs } = setting;
  const { options = [] } = control;
  const meant = wanted.map((each) => findOption(options, each));
  if (meant.includes(undefined))
    throw optionNotFound(
      what,
      options.map(({ label, value }) => label || value),
    );
  const used: { option: (typeof options)[number]; found: FoundElement }[] = [];
  let isQuick = true;
  for (const option of options) {
    const isWanted = meant.includes(option);
    if (kind === 'radio' && !isWanted) continue;
    const quick = await setPlainControl(page, { kind, ladder: option.ladder }, isWanted);
    const found = quick?.found ?? (await findByLadder(page, option.ladder, { kind }, setting));
    isQuick &&= quick !== undefined;
    if (!(await setChecked(found, isWanted, { what: `${what}, option ${quote(option.label)},`, timeoutMs })))
      throw valueNotKept(what, 'another option is chosen');
    used.push({ option, found });
  }
  const read = async () => {
    const now = await Promise.all(used.map(({ found }) => readElementFacts(found)));
    return used.flatMap(({ option }, i) => (now[i]?.checked ? [option.value] : [])).join(', ');
  };
  const decisive = used.find(({ option }) => meant.includes(option)) ?? used[0];
  if (!decisive) throw optionNotFound(what, []);
  const readBack = used.flatMap(({ option }) => (meant.includes(option) ? [option.value] : [])).join(', ');
  const heals = used.flatMap(({ option, found }) => toHealedElement(found, option.ladder, { option: option.value }));
  const again = isQuick ? toBatchReading(page, control, wanted) : undefined;
  return { readBack, found: { ...decisive.found, read, ...(again && { again }) }, heals };
}

async function setParts(setting: SetContext, { parts = [] }: SettableControl, value: string): Promise<SetResult> {
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!date) throw new Failure('bad_input', 'VALUE_REFUSED', `${setting.what} takes a date such as 2007-05-15.`);
  const of = { year: date[1] ?? '', month: date[2] ?? '', day: date[3] ?? '' };
  const used: { found: FoundElement; text: string }[] = [];
  const heals: HealedElement[] = [];
  for (const { part, control } of parts) {
    const { page } = setting;
    const quick = control.kind === 'select' ? undefined : await setPlainControl(page, control, of[part]);
    if (quick) {
      used.push({ found: quick.found, text: quick.readBack });
      continue;
    }
    const found = await findByLadder(page, control.ladder, { kind: control.kind }, setting);
    heals.push(...toHealedElement(found, control.ladder, { part }));
    const inner = { ...setting, what: `${setting.what}, ${part},` };
    if (found.facts.tag === 'select') used.push({ found, text: await selectDatePart(found, part, of[part], inner) });
    else used.push({ found, text: await fillText(inner, found, of[part]) });
  }
  const [first] = used;
  if (!first) throw new Failure('not_found', 'ELEMENT_NOT_FOUND', `${setting.what} has no parts.`);
  const read = async () => {
    const now = await Promise.all(used.map(({ found }) => readElementFacts(found)));
    return used.every(({ text }, i) => isValueKept(text, now[i]?.value ?? ''))
      ? value
      : now.map((each) => each.value).join('-');
  };
  return { readBack: value, found: { ...first.found, read }, heals };
}

async function attach({ what, timeoutMs }: SetContext, found: FoundElement, paths: readonly string[]): Promise<string> {
  try {
    await found.locator.setInputFiles([...paths], { timeout: timeoutMs });
  } catch (error) {
    throw actionFailure(error, what);
  }
  const names = paths.map((path) => path.split(/[\\/]/).at(-1) ?? path).join(', ');
  const now = await waitForElementFacts(found, ({ value }) => value === names, Math.min(timeoutMs, 1_000));
  if (now.value !== names) throw valueNotKept(what, 'it holds other files');
  return now.value;
}
