import type { Page } from 'playwright-core';
import type { FoundOption } from '../injected/fresh-elements.ts';
import type { InjectedFunctions } from '../injected/main.ts';
import type { WidgetPart } from '../injected/widget-parts.ts';
import type { WidgetReading } from '../injected/widget-reading.ts';
import { type OpenRequests, watchOpenRequests } from '../settle/open-requests.ts';
import type { ElementHandle } from '../snapshot/page-snapshot.ts';
import { fromHandle } from '../world/element-handle.ts';
import { callInWorld, type PageWorld } from '../world/isolated-world.ts';
import { ActionProblem, clickElement, pause } from './pointer.ts';

const CALL_LIMIT_MS = 5_000;
const LOOK_MS = 30;
const KEY_DELAY_MS = 2;
/** Longer texts are inserted at once. */
const TYPED_LENGTH = 200;
const MAX_TABS = 9;
const OPEN_REQUEST_MS = 5_000;

/** The means to operate one control, with the steps that were taken. */
export class WidgetDriver implements Disposable {
  readonly how: string[] = [];
  readonly page: Page;
  readonly #world: PageWorld;
  readonly #requests: OpenRequests;
  readonly #deadline: number;
  readonly #signal: AbortSignal | undefined;
  readonly ref: string;

  constructor(
    page: Page,
    element: ElementHandle,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  ) {
    const { world, ref } = fromHandle(page, element);
    this.page = page;
    this.ref = ref;
    this.#world = world;
    this.#requests = watchOpenRequests(page);
    this.#deadline = performance.now() + timeoutMs;
    this.#signal = signal;
  }

  [Symbol.dispose](): void {
    this.#requests[Symbol.dispose]();
  }

  async call<Name extends keyof InjectedFunctions>(
    name: Name,
    argument: Parameters<InjectedFunctions[Name]>[0],
  ): Promise<ReturnType<InjectedFunctions[Name]>> {
    this.checkTime();
    const result = await callInWorld(this.#world, name, argument, CALL_LIMIT_MS);
    if (result === undefined) throw new ActionProblem('the page went on to another document, or did not answer');
    return result;
  }

  checkTime(): void {
    this.#signal?.throwIfAborted();
    if (performance.now() > this.#deadline) throw new ActionProblem('the page took too long');
  }

  parts(ref = this.ref): Promise<WidgetPart[]> {
    return this.call('readWidgetParts', { ref });
  }

  async part(ref: string): Promise<WidgetPart | undefined> {
    return (await this.parts()).find((part) => part.ref === ref);
  }

  read(ref = this.ref, expected?: string): Promise<WidgetReading> {
    return this.call('readWidget', expected === undefined ? { ref } : { ref, expected });
  }

  mark(): Promise<boolean> {
    return this.call('markVisible', undefined);
  }

  async click(ref: string): Promise<void> {
    this.checkTime();
    await clickElement(this.page, this.#world, ref);
  }

  async focus(ref: string): Promise<void> {
    await this.call('focusElement', { ref });
  }

  async press(key: string): Promise<void> {
    this.checkTime();
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.checkTime();
    if (text.length > TYPED_LENGTH) await this.page.keyboard.insertText(text);
    else await this.page.keyboard.type(text, { delay: KEY_DELAY_MS });
  }

  /** Replaces the text of a field by keys. */
  async replaceText(part: WidgetPart, text: string): Promise<void> {
    await this.click(part.ref);
    if (part.value || part.text || part.type === 'password') {
      await this.call('selectContent', { ref: part.ref });
      await this.press('Delete');
    }
    await this.type(text);
  }

  /** The first result that is not nothing. Goes on while the page waits for an answer of its server. */
  async waitFor<Value>(
    look: () => Promise<Value | undefined | null | false>,
    limitMs: number,
  ): Promise<Value | undefined> {
    const begun = performance.now();
    for (;;) {
      const found = await look();
      if (found) return found;
      const waited = performance.now() - begun;
      const isLoading = waited < OPEN_REQUEST_MS && this.#requests.awaited(true).length > 0;
      if (waited > limitMs && !isLoading) return undefined;
      this.checkTime();
      await pause(LOOK_MS);
    }
  }

  /** The option with this name among what appeared since the mark. */
  findShownOption(value: string, limitMs: number): Promise<(FoundOption & { ref: string }) | undefined> {
    return this.waitFor(async () => {
      const found = await this.call('findShownOption', { value });
      return found.ref === null ? undefined : { ...found, ref: found.ref };
    }, limitMs);
  }

  isOpen(): Promise<boolean> {
    return this.call('isPopupOpen', { ref: this.ref });
  }

  /** Closes what still lies over the page, as mildly as possible. */
  async close(): Promise<void> {
    if (await this.waitFor(async () => !(await this.isOpen()), 300)) return;
    for (const how of ['Escape', 'Tab', 'outside']) {
      this.how.push(`close:${how}`);
      if (how === 'outside') await this.page.mouse.click(2, 2);
      else await this.press(how);
      if (await this.waitFor(async () => !(await this.isOpen()), 250)) return;
    }
  }

  /** Moves the focus out of the control with the keyboard, which is what makes many pages take a value. */
  async leave(): Promise<void> {
    for (let tabs = 0; tabs < MAX_TABS && (await this.call('hasFocus', { ref: this.ref })); tabs++)
      await this.press('Tab');
  }
}
