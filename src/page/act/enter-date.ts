import type { Calendar } from '../injected/calendar.ts';
import type { WidgetPart } from '../injected/widget-parts.ts';
import { ActionProblem } from './pointer.ts';
import type { WidgetDriver } from './widget-driver.ts';

const OPEN_MS = 500;
const MOVE_MS = 500;
const MAX_MOVES = 240;
const MAX_TRIES = 6;
const MONTHS_IN_YEAR = 12;
const HALF_DAY = 12;

/** Enters a date by the calendar that a field or its button opens, or types it as the field shows it. False: it takes no date. */
export async function enterDate(
  driver: WidgetDriver,
  box: WidgetPart,
  all: readonly WidgetPart[],
  value: string,
): Promise<boolean> {
  await driver.mark();
  await driver.click(box.ref);
  const calendar = (await waitForCalendar(driver)) ?? (await openByButton(driver, box, all));
  if (calendar) {
    driver.how.push('calendar');
    await pickDay(driver, await moveTo(driver, calendar, value), value);
    await driver.close();
    return true;
  }
  if (box.isReadOnly) return false;
  const live = await driver.part(box.ref);
  const text = asShown(value, formatOf(live?.value ?? '') ?? formatOf(box.placeholder));
  driver.how.push(`date ${text}`);
  await driver.replaceText(live ?? box, text);
  await driver.leave();
  await driver.close();
  return true;
}

const waitForCalendar = (driver: WidgetDriver) => driver.waitFor(() => driver.call('readCalendar', undefined), OPEN_MS);

async function openByButton(
  driver: WidgetDriver,
  box: WidgetPart,
  all: readonly WidgetPart[],
): Promise<Calendar | undefined> {
  // A field that says how it wants the date is typed into.
  if (formatOf(box.placeholder)) return undefined;
  const buttons = all.filter(({ role, isShown, isDisabled }) => role === 'button' && isShown && !isDisabled);
  const button = buttons.find(({ popup }) => popup !== '') ?? buttons.at(-1);
  if (!button) return undefined;
  await driver.click(button.ref);
  return waitForCalendar(driver);
}

/** The letters of a format such as `DD.MM.YYYY`, in which a field shows dates. */
function formatOf(text: string): RegExpExecArray | undefined {
  return /^(\p{L})\1{0,3}(\s?[./-]\s?)(\p{L})\3{0,3}\2(\p{L})\4{0,3}\.?$/u.exec(text.trim()) ?? undefined;
}

/** Which letter is the year is known by their number, and the month is `m` in nearly all languages of Latin script. */
function asShown(value: string, format: RegExpExecArray | undefined): string {
  const [year = '', month = '', day = ''] = value.split('-');
  const groups = format?.[0].match(/(\p{L})\1*/gu) ?? [];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  const isKnown = groups.length === 3 && groups.filter(({ length }) => length === longest).length === 1;
  if (!format || !isKnown) return value;
  return groups
    .map((group) => {
      if (group.length === longest) return longest > 2 ? year : year.slice(2);
      return /^m/i.test(group) ? month.padStart(2, '0') : day.padStart(2, '0');
    })
    .join(format[2]);
}

/** Moves a calendar to a month. What a button does is learned by its effect, and remembered by its name. */
async function moveTo(driver: WidgetDriver, opened: Calendar, value: string): Promise<Calendar> {
  const [year = 0, month = 0] = value.split('-').map(Number);
  const distance = (shown: Calendar) => (year - shown.year) * MONTHS_IN_YEAR + (month - shown.month);
  const effects = new Map<string, number>();
  let calendar = opened;
  for (let moves = 0; distance(calendar) !== 0; moves++) {
    if (moves >= MAX_MOVES) throw new ActionProblem(`its calendar is too far from ${value}`);
    const wanted = distance(calendar);
    const next = await moveOnce(driver, calendar, effects, wanted, distance);
    if (!next)
      throw new ActionProblem(
        `its calendar does not go on from ${calendar.year}-${String(calendar.month).padStart(2, '0')}`,
      );
    calendar = next;
  }
  return (await driver.call('readCalendar', undefined)) ?? calendar;
}

async function moveOnce(
  driver: WidgetDriver,
  calendar: Calendar,
  effects: Map<string, number>,
  wanted: number,
  distance: (shown: Calendar) => number,
): Promise<Calendar | undefined> {
  const isHelpful = (effect: number | undefined) =>
    effect !== undefined && Math.sign(effect) === Math.sign(wanted) && Math.abs(effect) <= Math.abs(wanted);
  const known = calendar.buttons.filter(({ name }) => isHelpful(effects.get(name)));
  known.sort((one, other) => Math.abs(effects.get(other.name) ?? 0) - Math.abs(effects.get(one.name) ?? 0));
  const unknown = calendar.buttons.filter(({ name }) => !effects.has(name));
  for (const button of known.length > 0 ? known.slice(0, 1) : orderTries(unknown, wanted).slice(0, MAX_TRIES)) {
    try {
      await driver.click(button.ref);
    } catch (error) {
      if (!(error instanceof ActionProblem)) throw error;
    }
    const moved = await driver.waitFor(async () => {
      const shown = await driver.call('readCalendar', undefined);
      return shown && distance(shown) !== wanted ? shown : undefined;
    }, MOVE_MS);
    effects.set(button.name, moved ? wanted - distance(moved) : 0);
    if (moved) return moved;
  }
  return undefined;
}

/** By what they are called, then by where they are: the way on is on the right, unless the page is read from there. */
function orderTries(buttons: Calendar['buttons'], wanted: number): Calendar['buttons'] {
  const isNext = ({ name }: { name: string }) => /next|forward|right/i.test(name);
  const isPrevious = ({ name }: { name: string }) => /prev|back|left/i.test(name);
  const score = (button: { name: string }) => {
    if (wanted > 0 ? isNext(button) : isPrevious(button)) return 2;
    return isNext(button) || isPrevious(button) ? 0 : 1;
  };
  return [...buttons].sort((one, other) => score(other) - score(one) || (other.x - one.x) * Math.sign(wanted));
}

async function pickDay(driver: WidgetDriver, calendar: Calendar, value: string): Promise<void> {
  const day = calendar.days[Number(value.slice(8))];
  if (!day) throw new ActionProblem(`${value} cannot be chosen in its calendar`);
  await driver.click(day);
  const left = await driver.waitFor(
    async () => ((await driver.call('readCalendar', undefined)) ? undefined : true),
    250,
  );
  if (left) return;
  const waiting = await driver.call('readCalendar', undefined);
  const confirm = waiting?.buttons.find(
    ({ ref, name }) => waiting.confirms.includes(ref) && /^(?:ok|apply|done|set|select)$/i.test(name),
  );
  if (confirm) await driver.click(confirm.ref);
}

/** Types the parts of a date or time into their fields or sections; false for a control that has no such parts. */
export async function enterParts(driver: WidgetDriver, parts: readonly WidgetPart[], value: string): Promise<boolean> {
  const sections = parts.filter(
    ({ datePart, role, tag }) => datePart !== null && (role === 'spinbutton' || role === 'textbox' || tag === 'select'),
  );
  const kinds = new Set(sections.map(({ datePart }) => datePart));
  if (sections.length < 2 || kinds.size !== sections.length) return false;
  driver.how.push('sections');
  const unnamed = parts.filter(
    ({ datePart, role, tag }) => datePart === null && role === 'spinbutton' && tag !== 'input',
  );
  // The half of the day has many names.
  const period =
    kinds.has('hour') && unnamed.length === 1
      ? unnamed.map((part) => ({ ...part, datePart: 'dayPeriod' as const }))
      : [];
  for (const section of [...sections, ...period]) {
    const text = partText(section, value);
    if (text === undefined) continue;
    if (section.tag === 'select') await selectPart(driver, section, text);
    else if (section.tag === 'input') await driver.replaceText(section, text);
    else {
      await driver.click(section.ref);
      await driver.type(text);
    }
  }
  await driver.leave();
  return true;
}

function partText({ datePart, max }: WidgetPart, value: string): string | undefined {
  const [date = '', time = ''] = value.includes('-') ? value.split('T') : ['', value];
  const [year, month, day] = date.split('-');
  const [hour = '', minute] = time.split(':');
  const isHalf = max === String(HALF_DAY);
  switch (datePart) {
    case 'year':
      return year || undefined;
    case 'month':
      return month;
    case 'day':
      return day;
    case 'hour':
      return hour && isHalf
        ? String(((Number(hour) + HALF_DAY - 1) % HALF_DAY) + 1).padStart(2, '0')
        : hour || undefined;
    case 'minute':
      return minute;
    case 'dayPeriod':
      return hour ? (Number(hour) >= HALF_DAY ? 'p' : 'a') : undefined;
    default:
      return undefined;
  }
}

/** A month is an option by its number, with or without zero, by its name, or by its position after a first empty option. */
async function selectPart(driver: WidgetDriver, { ref }: WidgetPart, text: string): Promise<void> {
  const { missing } = await driver.call('selectNative', { ref, values: [text] });
  if (missing.length === 0) return;
  const { missing: alsoMissing, options } = await driver.call('selectNative', { ref, values: [String(Number(text))] });
  if (alsoMissing.length === 0) return;
  const named =
    options.length > MONTHS_IN_YEAR ? options.at(Number(text) - MONTHS_IN_YEAR - 1) : options[Number(text) - 1];
  const last = await driver.call('selectNative', { ref, values: [named ?? text] });
  if (last.missing.length > 0)
    throw new ActionProblem(`it has no option "${text}". Its options: ${options.join(', ')}`);
}
