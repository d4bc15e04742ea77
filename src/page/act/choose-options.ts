import { normalizeWords } from '../../platform/page/act/value-comparison.ts';
import type { FoundOption } from '../injected/fresh-elements.ts';
import type { WidgetPart } from '../injected/widget-parts.ts';
import { includesWords } from './match-part.ts';
import { ActionProblem } from './pointer.ts';
import type { WidgetDriver } from './widget-driver.ts';

const OPEN_MS = 700;
const KEY_MS = 500;
const FILTER_MS = 1_200;

type Option = FoundOption & { ref: string };

/** Opens a list and chooses options in it: one that appears, one that the arrow key shows, or one that typing finds. */
export async function chooseOptions(
  driver: WidgetDriver,
  opener: WidgetPart,
  values: readonly string[],
  isMultiple: boolean,
): Promise<void> {
  driver.how.push('popup');
  if (opener.role === 'listbox') {
    for (const value of values) await chooseShown(driver, opener, value);
    return;
  }
  const before = await driver.read();
  for (const value of values) {
    const option = await findInPopup(driver, opener, value);
    if (!option) continue;
    // `aria-selected` is no proof: some lists use it for the option that is highlighted.
    const isChosen = isMultiple && includesWords(normalizeWords(before.text), normalizeWords(value));
    if (!isChosen) await driver.click(option.ref);
    await driver.waitFor(async () => !(await driver.isOpen()), isMultiple ? 60 : 200);
  }
  await driver.leave();
  await driver.close();
}

/** A list that is in the page all the time. */
async function chooseShown(driver: WidgetDriver, { ref }: WidgetPart, value: string): Promise<void> {
  const { ref: option, isSelected, options } = await driver.call('findShownOption', { value, within: ref });
  if (option === null) throw new ActionProblem(`it has no option "${value}". Its options: ${options.join(', ')}`);
  if (!isSelected) await driver.click(option);
}

/** Undefined when the value was entered by the keyboard alone. */
async function findInPopup(driver: WidgetDriver, opener: WidgetPart, value: string): Promise<Option | undefined> {
  const open = (await driver.isOpen()) ? await driver.findShownOption(value, 0) : undefined;
  if (open) return open;
  await driver.close();
  await driver.mark();
  await driver.click(opener.ref);
  const shown = await driver.findShownOption(value, OPEN_MS);
  if (shown) return shown;
  if (!(await driver.isOpen())) {
    driver.how.push('ArrowDown');
    await driver.press('ArrowDown');
    const byKey = await driver.findShownOption(value, KEY_MS);
    if (byKey) return byKey;
  }
  return findByTyping(driver, opener, value);
}

async function findByTyping(driver: WidgetDriver, opener: WidgetPart, value: string): Promise<Option | undefined> {
  const listed = await driver.call('findShownOption', { value });
  const search = await driver.call('findFreshInput', undefined);
  const canType =
    search !== null ||
    (!opener.isReadOnly && (opener.tag === 'input' || opener.isEditable || opener.role === 'combobox'));
  if (!canType) throw new ActionProblem(noOption(value, listed));
  driver.how.push('type');
  if (search !== null) {
    await driver.click(search);
    await driver.call('selectContent', { ref: search });
  }
  await driver.type(value);
  const found = await driver.findShownOption(value, FILTER_MS);
  if (found) return found;
  const filtered = await driver.call('findShownOption', { value });
  // A list that may take new entries does so at Enter; without a list Enter may send the form.
  if (!(await driver.isOpen())) return undefined;
  driver.how.push('Enter');
  await driver.press('Enter');
  const isTaken = await driver.waitFor(async () => isShown(driver, value), KEY_MS);
  if (!isTaken) throw new ActionProblem(noOption(value, filtered.options.length > 0 ? filtered : listed));
  return undefined;
}

async function isShown(driver: WidgetDriver, value: string): Promise<boolean> {
  const { inputs, text, around } = await driver.read();
  return includesWords(normalizeWords([...inputs, text, around].join(' | ')), normalizeWords(value));
}

function noOption(value: string, { options }: FoundOption): string {
  const listed = options.length > 0 ? `Its options: ${options.join(', ')}` : 'No options appeared';
  return `it has no option "${value}". ${listed}`;
}
