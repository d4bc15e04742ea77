import type { Page } from 'playwright-core';
import { quote } from '../../platform/errors.ts';
import { watchActivity } from '../settle/settle.ts';
import type { ElementHandle } from '../snapshot/page-snapshot.ts';
import { enterValue } from './enter-value.ts';
import { describeReading, type Judgement, judgeValue } from './judge-value.ts';
import { ActionProblem } from './pointer.ts';
import type { ValueResult, WidgetValue } from './value-result.ts';
import { WidgetDriver } from './widget-driver.ts';

/** A control of a snapshot, or any element that contains one. */
export interface ValueTarget {
  element: ElementHandle;
  /** For messages. */
  name?: string;
}

export interface SetValueOptions {
  /** How long one control may take. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ValueEntry {
  control: ValueTarget;
  value: WidgetValue;
}

const TIMEOUT_MS = 20_000;
const SETTLE_MS = 2_000;
const READ_MS = 800;

/**
 * Puts a value into a control as a person does: with the pointer and the keyboard, by what the control shows, and commits it. Then
 * waits until the page is ready, and reads the control back.
 *
 * Does not throw for what a page does: the result says it. @throws when the page is closed, or when the signal aborts
 *
 * @example
 * const country = snapshot.controls.find(({ name }) => name === 'Country');
 * const { status, problem } = await setValue(page, country, 'Spain');
 */
export async function setValue(
  page: Page,
  control: ValueTarget,
  value: WidgetValue,
  { timeoutMs = TIMEOUT_MS, signal }: SetValueOptions = {},
): Promise<ValueResult> {
  using driver = new WidgetDriver(page, control.element, { timeoutMs, signal });
  using activity = watchActivity(page);
  try {
    const targets = await enter(driver, control, value);
    await activity.settle({ timeoutMs: SETTLE_MS, ...(signal && { signal }) });
    return await readBack(driver, control, targets);
  } catch (error) {
    if (!(error instanceof ActionProblem)) throw error;
    await closeQuietly(driver);
    const shown = await driver.read().then(describeReading, () => '');
    return { status: 'failed', shown, problem: failure(control, value, error.message), how: driver.how };
  }
}

/** Sets several controls, then reads all of them again: a later field may have changed an earlier one. */
export async function setValues(
  page: Page,
  entries: readonly ValueEntry[],
  options: SetValueOptions = {},
): Promise<ValueResult[]> {
  const results: ValueResult[] = [];
  for (const { control, value } of entries) results.push(await setValue(page, control, value, options));
  const again = await confirmValues(page, entries, options);
  return results.map((result, index) => {
    const now = again[index];
    // What could be confirmed only by its change cannot be confirmed by a second look.
    const isLost = result.status === 'confirmed' && now?.status === 'different';
    return isLost ? { ...now, how: result.how } : result;
  });
}

/** Compares what controls show with what they should have, without changing anything: call it before a form is sent. */
export async function confirmValues(
  page: Page,
  entries: readonly ValueEntry[],
  { timeoutMs = TIMEOUT_MS, signal }: SetValueOptions = {},
): Promise<ValueResult[]> {
  const results: ValueResult[] = [];
  for (const { control, value } of entries) {
    using driver = new WidgetDriver(page, control.element, { timeoutMs, signal });
    try {
      results.push(await readBack(driver, control, await targetsOf(driver, driver.ref, value)));
    } catch (error) {
      if (!(error instanceof ActionProblem)) throw error;
      results.push({ status: 'failed', shown: '', problem: failure(control, value, error.message), how: [] });
    }
  }
  return results;
}

type Plain = string | number | boolean | readonly string[];

/** An element with the plain value that it should have, and what it showed before. */
interface Target {
  ref: string;
  value: Plain;
  before?: Awaited<ReturnType<WidgetDriver['read']>>;
}

const isTable = (value: WidgetValue): value is { readonly [row: string]: WidgetValue } =>
  typeof value === 'object' && !Array.isArray(value);

async function enter(driver: WidgetDriver, control: ValueTarget, value: WidgetValue): Promise<Target[]> {
  const targets = await targetsOf(driver, driver.ref, value);
  for (const target of targets) {
    target.before = await driver.read(target.ref, String(target.value));
    if (target.ref === driver.ref) await enterValue(driver, target.value);
    else await enterCell(driver, control, target);
  }
  return targets;
}

async function enterCell(driver: WidgetDriver, { element }: ValueTarget, { ref, value }: Target): Promise<void> {
  const prefix = element.slice(0, element.indexOf(' ') + 1);
  using cell = new WidgetDriver(driver.page, `${prefix}${ref}` as ElementHandle, { timeoutMs: TIMEOUT_MS });
  await enterValue(cell, value);
  driver.how.push(...cell.how);
}

/** The cells that a value by rows and columns means; the control itself for any other value. */
async function targetsOf(driver: WidgetDriver, ref: string, value: WidgetValue): Promise<Target[]> {
  if (!isTable(value)) return [{ ref, value: value as Plain }];
  const targets: Target[] = [];
  for (const [row, answer] of Object.entries(value)) {
    const found = await driver.call('findRowCells', { ref, row });
    if (!found) throw new ActionProblem(`it has no row ${quote(row)}`);
    const cell = (column: string) => found.cells.find(({ header }) => isSame(header, column));
    if (isTable(answer)) {
      for (const [column, inner] of Object.entries(answer)) {
        const target = cell(column);
        if (!target) throw new ActionProblem(`its row ${quote(row)} has no column ${quote(column)}`);
        targets.push(...(await targetsOf(driver, target.ref, inner)));
      }
    } else if (typeof answer === 'string' && cell(answer)) targets.push({ ref: cell(answer)?.ref ?? ref, value: true });
    else targets.push({ ref: found.ref, value: answer as Plain });
  }
  return targets;
}

const isSame = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

async function readBack(driver: WidgetDriver, control: ValueTarget, targets: readonly Target[]): Promise<ValueResult> {
  const judgements: Judgement[] = [];
  const shown: string[] = [];
  for (const { ref, value, before } of targets) {
    // A page may show a value a moment after it was committed.
    let reading = await driver.read(ref, String(value));
    const judge = () => judgeValue(value, reading, before);
    await driver.waitFor(
      async () => {
        reading = await driver.read(ref, String(value));
        return judge() === 'confirmed';
      },
      before ? READ_MS : 0,
    );
    judgements.push(judge());
    shown.push(describeReading(reading));
  }
  const status =
    judgements.find((each) => each === 'different') ?? judgements.find((each) => each === 'unconfirmed') ?? 'confirmed';
  const value = targets.map((target) => String(target.value)).join(', ');
  const text = shown.join('; ');
  return { status, shown: text, problem: problemOf(status, control, value, text), how: driver.how };
}

function problemOf(status: Judgement, { name = '' }: ValueTarget, value: string, shown: string): string {
  const field = `The field ${quote(name)}`;
  if (status === 'confirmed') return '';
  if (status === 'unconfirmed')
    return `${field} was given ${quote(value)}, but nothing on the page shows it. Check it in a screenshot before you rely on it.`;
  return `${field} was given ${quote(value)}, but the page shows ${quote(shown)}. Use a value that the field accepts.`;
}

function failure({ name = '' }: ValueTarget, value: WidgetValue, reason: string): string {
  return `The field ${quote(name)} could not be given ${quote(typeof value === 'object' ? JSON.stringify(value) : String(value))}: ${reason}.`;
}

/** An open list would lie over the fields that come next. */
async function closeQuietly(driver: WidgetDriver): Promise<void> {
  try {
    await driver.close();
  } catch (error) {
    if (!(error instanceof ActionProblem)) throw error;
  }
}
