import type { Frame, Page } from 'playwright-core';
import type { FrameControl } from '../in-page/control-tools.ts';
import { type FrameReading, readFrameScript } from '../in-page/frame-reader.ts';
import type { Control, ControlOption, Ladder, PageError, PageReading } from '../page-model.ts';
import { isContextLostError } from '../settle/settle.ts';
import { mergeDateParts } from './date-group.ts';
import { countRoles, type RoleCounts } from './role-counts.ts';

export interface ReadPageOptions {
  /** More controls than this are left out, and said to be. */
  mostControls?: number;
  /** More options of one control than this are left out. */
  mostOptions?: number;
  timeoutMs?: number;
}

const MOST_FRAMES = 20;

/** Reads a page: one look into each of its frames, through open shadow roots, names as the accessibility tree has them. */
export async function readPage(page: Page, options: ReadPageOptions = {}): Promise<PageReading> {
  const { mostControls = 1_000, mostOptions = 6_000, timeoutMs = 10_000 } = options;
  const script = readFrameScript({ mostControls, mostOptions });
  const main = await readMain(page, script, timeoutMs);
  const left: string[] = [];
  const parts = [{ frame: page.mainFrame(), path: [] as string[], reading: main }];
  const children = page.frames().filter((frame) => frame !== page.mainFrame());
  if (children.length > MOST_FRAMES) left.push(`${children.length - MOST_FRAMES} of ${children.length} frames`);
  for (const frame of children.slice(0, MOST_FRAMES)) {
    const part = await readChild(frame, script);
    if (part) parts.push(part);
  }
  const controls: Control[] = [];
  const errors: PageError[] = [];
  for (const { frame, path, reading } of parts) {
    if (reading.controlCount > reading.controls.length)
      left.push(`${reading.controlCount - reading.controls.length} of ${reading.controlCount} controls`);
    const roles = await countRoles(frame, timeoutMs);
    const own = reading.controls.map((control) => withFrame(control, path, roles));
    const orders = add(controls, own, reading.controls);
    // A summary on top and the words beside the field say the same.
    for (const error of reading.errors.map((each) => pageError(each, own, orders)))
      if (!errors.some(({ text, order }) => text === error.text && order === error.order)) errors.push(error);
  }
  for (const { name, options: listed, optionCount } of controls)
    if (optionCount > listed.length && listed.length >= mostOptions)
      left.push(`${optionCount - listed.length} of ${optionCount} options of ${JSON.stringify(name)}`);
  const { title, language, headings, landmarks, dialogs } = main;
  return { url: page.url(), title, language, headings, landmarks, dialogs, controls, errors, left };
}

async function readMain(page: Page, script: string, timeoutMs: number): Promise<FrameReading> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await page.mainFrame().evaluate<FrameReading>(script);
    } catch (error) {
      // The page went on to another while it was read: that one is read.
      if (!isContextLostError(error) || performance.now() > deadline) throw error;
      await page.waitForLoadState('domcontentloaded', { timeout: timeoutMs });
    }
  }
}

/** A frame that goes away, or is not shown, has nothing to read. */
async function readChild(frame: Frame, script: string) {
  try {
    const path = await pathOf(frame);
    if (!path) return undefined;
    return { frame, path, reading: await frame.evaluate<FrameReading>(script) };
  } catch {
    return undefined;
  }
}

/** Selectors of the iframe elements that lead to a frame, outermost first; undefined where one cannot be seen. */
async function pathOf(frame: Frame): Promise<string[] | undefined> {
  const parent = frame.parentFrame();
  if (!parent) return [];
  const above = await pathOf(parent);
  if (!above) return undefined;
  const element = await frame.frameElement();
  try {
    const selector = await element.evaluate(frameSelector);
    return selector === null ? undefined : [...above, selector];
  } finally {
    await element.dispose();
  }
}

/** In the page. */
function frameSelector(frame: Element | SVGElement): string | null {
  if (!frame.checkVisibility({ checkVisibilityCSS: true })) return null;
  const box = frame.getBoundingClientRect();
  if (box.width <= 2 || box.height <= 2) return null;
  const root = frame.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return null;
  const tag = frame.localName;
  const isOnly = (selector: string) => root.querySelectorAll(selector).length === 1;
  const quoted = (text: string) => JSON.stringify(text);
  for (const attribute of ['id', 'name', 'title', 'src']) {
    const value = frame.getAttribute(attribute);
    const selector = `${tag}[${attribute}=${quoted(value ?? '')}]`;
    if (value && !/["\\\n]/.test(value) && isOnly(selector)) return selector;
  }
  const steps: string[] = [];
  for (let at: Element | null = frame; at && steps.length < 100 && at.localName !== 'html'; at = at.parentElement) {
    const twins = [...(at.parentElement?.querySelectorAll(':scope > *') ?? [])].filter(
      (other) => other.localName === at?.localName,
    );
    steps.unshift(twins.length > 1 ? `${at.localName}:nth-of-type(${twins.indexOf(at) + 1})` : at.localName);
  }
  return steps.join(' > ');
}

/** With its frame, and with only those roles and names that the accessibility tree has too, once. */
function withFrame(control: FrameControl, frame: string[], roles: RoleCounts | undefined): Control {
  const { groupIndex: _, ...own } = control;
  const ladder = (rungs: Ladder): Ladder =>
    rungs
      .filter(({ by, role, value }) => by !== 'role' || !roles || roles.count(role ?? '', value) === 1)
      .map((rung) => (frame.length > 0 ? { ...rung, frame } : rung));
  const option = (each: ControlOption): ControlOption => ({ ...each, ladder: ladder(each.ladder) });
  return { ...own, frame, order: 0, parts: [], ladder: ladder(own.ladder), options: own.options.map(option) };
}

/** Appends the controls of a frame, dates in parts put together; returns where each of them stands now. */
function add(controls: Control[], own: readonly Control[], read: readonly FrameControl[]): number[] {
  const orders: number[] = [];
  for (const { control, from } of mergeDateParts(own, read)) {
    const order = controls.length;
    controls.push({ ...control, order });
    for (const index of from) orders[index] = order;
  }
  return orders;
}

function pageError(
  error: FrameReading['errors'][number],
  own: readonly Control[],
  orders: readonly number[],
): PageError {
  return {
    text: error.text.replace(/^error:\s*/i, ''),
    control: own[error.control]?.name ?? '',
    order: orders[error.control] ?? null,
  };
}
