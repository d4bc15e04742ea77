import type { WidgetPart } from '../injected/widget-parts.ts';
import { chooseOptions } from './choose-options.ts';
import { enterDate, enterParts } from './enter-date.ts';
import { isDateText, isTimeText, matchPart } from './match-part.ts';
import { ActionProblem } from './pointer.ts';
import type { WidgetValue } from './value-result.ts';
import type { WidgetDriver } from './widget-driver.ts';

const MAX_TOGGLES = 3;
const MAX_ARROWS = 400;
const DRAWN_BY_BROWSER = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color']);
const NOT_SUGGESTED = new Set(['email', 'number', 'tel', 'url', 'password']);
const TOGGLE_MS = 400;
const SUGGESTION_MS = 700;

/** Operates a control as a person does until it should have the value. It is not read back here. @throws ActionProblem */
export async function enterValue(
  driver: WidgetDriver,
  value: Exclude<WidgetValue, object> | readonly string[],
): Promise<void> {
  // The Tab that left the field before may have opened something here.
  if (await driver.call('hasFocus', { ref: driver.ref })) await driver.call('dropFocus', undefined);
  await driver.mark();
  const all = await driver.parts();
  const own = all.filter(
    ({ isOwn, isShown, isTransparent, type }) => isOwn && (isShown || isTransparent || type === 'file'),
  );
  if (own.length > 0 && own.every(({ isDisabled }) => isDisabled)) throw new ActionProblem('it is disabled');
  const usable = own.filter(({ isDisabled }) => !isDisabled);
  for (const strategy of [enterChoice, enterToggles, enterSelect, enterSlider, enterDrawn, enterSections])
    if (await strategy(driver, usable, value)) return;
  await enterBox(driver, usable, all, value);
}

type Strategy = (driver: WidgetDriver, parts: readonly WidgetPart[], value: Plain) => Promise<boolean>;
type Plain = Exclude<WidgetValue, object> | readonly string[];

const isList = (value: Plain): value is readonly string[] => typeof value === 'object';
const byRole = (parts: readonly WidgetPart[], ...roles: string[]) => parts.filter(({ role }) => roles.includes(role));

const enterChoice: Strategy = async (driver, parts, value) => {
  const radios = byRole(parts, 'radio', 'menuitemradio').filter(({ tag }) => tag !== 'label');
  const isChoice = radios.length > 1 || (radios.length === 1 && radios.length === parts.length);
  if (!isChoice || isList(value)) return false;
  driver.how.push('radio');
  const radio = typeof value === 'boolean' && radios.length === 1 ? radios[0] : matchPart(radios, String(value));
  if (!radio) throw noOption(value, radios);
  const isOn = async () => (await driver.part(radio.ref))?.checked === true;
  if (radio.checked !== true) await driver.click(radio.ref);
  if (await driver.waitFor(isOn, TOGGLE_MS)) return true;
  driver.how.push('keyboard');
  await driver.focus(radio.ref);
  await driver.press('Space');
  return true;
};

const enterToggles: Strategy = async (driver, parts, value) => {
  const toggles = byRole(parts, 'checkbox', 'switch', 'menuitemcheckbox');
  if (toggles.length === 0 || !(isList(value) || typeof value === 'boolean')) return false;
  driver.how.push('toggle');
  if (!isList(value)) {
    if (toggles[0]) await toggle(driver, toggles[0], value);
    return true;
  }
  const wanted = new Set(
    value.map((each) => {
      const found = matchPart(toggles, each);
      if (!found) throw noOption(each, toggles);
      return found.ref;
    }),
  );
  for (const each of toggles) await toggle(driver, each, wanted.has(each.ref));
  return true;
};

/** Three states are passed one after the other. */
async function toggle(driver: WidgetDriver, { ref }: WidgetPart, wanted: boolean): Promise<void> {
  for (let clicks = 0; clicks < MAX_TOGGLES; clicks++) {
    const before = (await driver.part(ref))?.checked;
    if (before === wanted) return;
    await driver.click(ref);
    await driver.waitFor(async () => (await driver.part(ref))?.checked !== before, TOGGLE_MS);
  }
}

const enterSelect: Strategy = async (driver, parts, value) => {
  const select = parts.find(({ tag, isShown, isTransparent }) => tag === 'select' && isShown && !isTransparent);
  const isReplaced = parts.some(({ tag, role }) => tag !== 'select' && role === 'combobox');
  if (!select || isReplaced || parts.filter(({ tag }) => tag === 'select' || tag === 'input').length > 1) return false;
  driver.how.push('select');
  const values = isList(value) ? value : [String(value)];
  const { missing, options } = await driver.call('selectNative', { ref: select.ref, values });
  if (missing[0] !== undefined)
    throw new ActionProblem(`it has no option "${missing[0]}". Its options: ${options.join(', ')}`);
  await driver.leave();
  return true;
};

const enterSlider: Strategy = async (driver, parts, value) => {
  const [slider, other] = byRole(parts, 'slider');
  const wanted = Number(value);
  if (!slider || other || Number.isNaN(wanted) || typeof value === 'boolean') return false;
  if (byRole(parts, 'spinbutton', 'textbox').some(({ tag, isEditable }) => tag === 'input' || isEditable)) return false;
  driver.how.push('slider');
  await driver.focus(slider.ref);
  const now = async () => Number((await driver.part(slider.ref))?.now ?? Number.NaN);
  await driver.press('Home');
  const lowest = await now();
  if (lowest === wanted) return true;
  const [up, down, step] = await learnStep(driver, now, lowest);
  const presses = Math.round((wanted - lowest - step) / step);
  if (Math.abs(presses) > MAX_ARROWS)
    throw new ActionProblem(`it has too many steps to reach ${wanted} with the keyboard`);
  for (let pressed = 0; pressed < Math.abs(presses); pressed++) await driver.press(presses > 0 ? up : down);
  await driver.waitFor(async () => (await now()) === wanted, TOGGLE_MS);
  await driver.leave();
  return true;
};

async function learnStep(
  driver: WidgetDriver,
  now: () => Promise<number>,
  lowest: number,
): Promise<[string, string, number]> {
  for (const [up, down] of [
    ['ArrowRight', 'ArrowLeft'],
    ['ArrowUp', 'ArrowDown'],
  ] as const) {
    await driver.press(up);
    const moved = await driver.waitFor(async () => (await now()) !== lowest, TOGGLE_MS / 2);
    if (moved) return [up, down, (await now()) - lowest];
  }
  throw new ActionProblem(`it does not move with the arrow keys from ${lowest}`);
}

const enterDrawn: Strategy = async (driver, parts, value) => {
  const field = parts.find(({ type }) => DRAWN_BY_BROWSER.has(type));
  if (!field || isList(value)) return false;
  driver.how.push(`native ${field.type}`);
  if (field.isReadOnly) throw new ActionProblem('it is read-only');
  const isSet = await driver.call('setNative', { ref: field.ref, value: String(value) });
  if (!isSet)
    throw new ActionProblem(`it takes no "${value}": a field of type ${field.type} takes ${exampleOf(field.type)}`);
  await driver.leave();
  return true;
};

function exampleOf(type: string): string {
  const examples: Record<string, string> = {
    time: '10:15',
    'datetime-local': '2027-03-23T10:15',
    month: '2027-03',
    week: '2027-W12',
  };
  return `"${examples[type] ?? (type === 'color' ? '#ff0000' : '2027-03-23')}"`;
}

const enterSections: Strategy = async (driver, parts, value) => {
  if (!isDateText(value) && !isTimeText(value)) return false;
  return enterParts(driver, parts, value);
};

/** A field, a list that opens, a calendar, or buttons that are the answers. */
async function enterBox(
  driver: WidgetDriver,
  parts: readonly WidgetPart[],
  all: readonly WidgetPart[],
  value: Plain,
): Promise<void> {
  const box = findBox(parts);
  if (!box) {
    const button = isList(value)
      ? undefined
      : matchPart(byRole(parts, 'button', 'menuitemradio', 'tab', 'option'), String(value));
    if (button) {
      driver.how.push('button');
      return driver.click(button.ref);
    }
    const opener = parts.find(({ isTabStop, role }) => isTabStop || role === 'button');
    if (!opener) throw new ActionProblem('it has no part that takes a value');
    return chooseOptions(driver, opener, isList(value) ? value : [String(value)], isList(value));
  }
  if (isDateText(value) && (await enterDate(driver, box, all, value))) return;
  const opens =
    (box.role === 'combobox' && box.tag !== 'select') ||
    (box.popup !== '' && box.popup !== 'false') ||
    box.isReadOnly ||
    (box.tag !== 'input' && box.tag !== 'textarea' && !box.isEditable) ||
    isList(value);
  if (opens && !box.hasList) return chooseOptions(driver, box, isList(value) ? value : [String(value)], isList(value));
  return enterText(driver, box, isList(value) ? value.join(', ') : String(value));
}

function findBox(parts: readonly WidgetPart[]): WidgetPart | undefined {
  return (
    parts.find(({ role, tag }) => role === 'combobox' && tag !== 'select') ??
    parts.find(({ popup, hasList, role }) => (popup !== '' || hasList) && !/button|link/.test(role)) ??
    parts.find(({ role, isEditable }) => ['textbox', 'searchbox', 'spinbutton'].includes(role) || isEditable) ??
    parts.find(({ tag, type }) => tag === 'textarea' || (tag === 'input' && !NOT_TYPED.has(type))) ??
    parts.find(({ popup }) => popup !== '') ??
    parts.find(({ role }) => role === 'listbox')
  );
}

const NOT_TYPED = new Set(['button', 'checkbox', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

async function enterText(driver: WidgetDriver, box: WidgetPart, text: string): Promise<void> {
  if (box.isReadOnly) throw new ActionProblem('it is read-only');
  driver.how.push('text');
  await driver.mark();
  await driver.replaceText(box, text);
  if (!NOT_SUGGESTED.has(box.type) && text !== '') {
    const option = await driver.findShownOption(text, box.hasList ? 0 : box.suggests ? SUGGESTION_MS : 40);
    if (option) {
      driver.how.push('suggestion');
      await driver.click(option.ref);
    }
  }
  await driver.leave();
  await driver.close();
}

function noOption(value: WidgetValue, parts: readonly WidgetPart[]): ActionProblem {
  const names = parts.slice(0, 30).map(({ name, text, code }) => name || text || code);
  return new ActionProblem(`it has no option "${String(value)}". Its options: ${names.join(', ')}`);
}
