import { randomBytes } from 'node:crypto';
import type { Frame, Locator, Page } from 'playwright-core';
import { awaitWithin } from '../settle/time-limit.ts';
import { type ScreenshotOptions, takeScreenshot } from './screenshot.ts';

/** What must not be seen on a picture: a pattern for texts that hold it, and texts that are it. */
export interface PrivateText {
  source: string;
  alone: readonly string[];
}

/** The same, with the frames that are given all of it anyway, so that they may be told what to look for. */
export interface FramePrivateText extends PrivateText {
  isGivenTo?: (frame: Frame) => boolean;
}

export interface PrivateTextMask {
  /** What shows it now. */
  masks: Locator[];
  /** Paints that black in the page itself, for a picture that cannot be masked. False where it has to be masked. */
  blackOut(): Promise<boolean>;
  /** Whether the page shows nothing of it but where it did then. To be asked after the picture was taken. */
  isStillAll(): Promise<boolean>;
  /** Leaves the page as it was. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Finds every element that shows something private, in all frames and shadow roots, also where it is put together from
 * several elements. Throws where a frame cannot be looked at: what is not known to be clean must not be shown.
 */
export async function maskPrivateText(page: Page, text: FramePrivateText): Promise<PrivateTextMask> {
  const attribute = `data-${randomBytes(6).toString('hex')}`;
  const frames = page.frames();
  const look = (frame: Frame) => ifThere(frame, () => lookAt(frame, text, attribute));
  const seen = await Promise.all(frames.map(look));
  const marked = new Set(frames.filter((_, index) => (seen[index]?.shown ?? 0) > 0));
  return {
    masks: [...marked].map((frame) => frame.locator(`[${attribute}]`)),
    async blackOut() {
      const others = [...marked].filter((frame) => frame !== page.mainFrame());
      return others.length === 0 && (marked.size === 0 || page.evaluate(blackenInPage, attribute));
    },
    async isStillAll() {
      const now = page.frames().map(async (frame) => {
        const { shown, known } = (await look(frame)) ?? { shown: 0, known: 0 };
        if (shown > 0) marked.add(frame);
        return shown === known;
      });
      return (await Promise.all(now)).every(Boolean);
    },
    async [Symbol.asyncDispose]() {
      const clean = (frame: Frame) => frame.evaluate(unmarkInPage, attribute).catch(() => {});
      await Promise.all([...marked].map(clean));
    },
  };
}

/** Scripts of a frame can read along: it is asked what it holds, and told of nothing else. */
async function lookAt(
  frame: Frame,
  { isGivenTo, ...text }: FramePrivateText,
  attribute: string,
): Promise<{ shown: number; known: number }> {
  if (isGivenTo?.(frame)) return frame.evaluate(markInPage, { ...text, attribute });
  const { said } = await frame.evaluate(markInPage, { source: '', alone: [], attribute: '' });
  const ownText = countPrivateTexts(said, text);
  return ownText ? frame.evaluate(markInPage, { ...ownText, attribute }) : { shown: 0, known: 0 };
}

/** Of what is private, that which a text holds; undefined where it holds nothing of it. */
function countPrivateTexts(said: string, { source, alone }: PrivateText): PrivateText | undefined {
  const plain = said.replaceAll(/\s+/g, ' ');
  const small = plain.toLowerCase();
  // Where a word or a number ends depends on what stands beside it, which is not the same in a part.
  const isIn = (one: string) => new RegExp(one.replaceAll(/\(\?<?![^()]*\)/g, ''), 'iu').test(plain);
  const found = source !== '' && isIn(source) ? alternativesOf(source).filter(isIn) : [];
  const short = alone.filter((one) => small.includes(one));
  return found.length + short.length > 0 ? { source: found.join('|'), alone: short } : undefined;
}

function alternativesOf(source: string): string[] {
  return source.match(/(?:\\.|\((?:\\.|[^()\\])*\)|[^|\\(])+/gsu) ?? [];
}

const TRIES = 3;

/**
 * A picture that shows nothing private. Where a page goes on showing it in new places, or cannot be looked at, the whole of it
 * is covered.
 */
export async function takeMaskedScreenshot(
  page: Page,
  text: FramePrivateText,
  options: ScreenshotOptions & { timeoutMs: number },
): Promise<{ picture: Buffer; isWhole: boolean }> {
  const { masked = [], timeoutMs } = options;
  const hasNone = text.source === '' && text.alone.length === 0;
  for (let tries = 0; !hasNone && tries < TRIES; tries++) {
    const begun = performance.now();
    const covered = await awaitWithin(maskPrivateText(page, text), timeoutMs);
    // A page that is just giving way to another one cannot be looked at, but the other one can.
    if (!covered && performance.now() - begun < timeoutMs) continue;
    if (!covered) break;
    const picture = await takeScreenshot(page, { ...options, masked: [...masked, ...covered.masks] });
    const isAll = await awaitWithin(covered.isStillAll(), timeoutMs);
    await awaitWithin(covered[Symbol.asyncDispose](), timeoutMs);
    if (isAll) return { picture, isWhole: true };
  }
  const all = hasNone ? masked : [page.locator('html')];
  return { picture: await takeScreenshot(page, { ...options, masked: all }), isWhole: hasNone };
}

/** Undefined where the frame went away meanwhile, and shows nothing any more. */
async function ifThere<Result>(frame: Frame, look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look();
  } catch (error) {
    if (frame.isDetached()) return undefined;
    throw error;
  }
}

/** In the page, before its scripts: closed shadow roots are remembered, so that a look at the page can see into them. */
export function trackClosedShadowRoots(): void {
  const roots: ShadowRoot[] = [];
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(this: Element, init: ShadowRootInit) {
    const root = attach.call(this, init);
    if (init.mode === 'closed') roots.push(root);
    return root;
  };
  Object.defineProperty(globalThis, Symbol.for('assay.closedRoots'), { value: roots });
}

interface Marking extends PrivateText {
  attribute: string;
}

/** In the page: no names from outside. Without an attribute to mark with, it only tells what there is to be read. */
function markInPage({ source, alone, attribute }: Marking): { shown: number; known: number; said: string } {
  const pattern = source === '' ? undefined : new RegExp(source, 'giu');
  const skipped = ['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT'];
  const texts = new Map<Node, string>();
  const hits = (text: string) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    return (pattern ? (plain.match(pattern)?.length ?? 0) : 0) + (alone.includes(plain.toLowerCase()) ? 1 : 0);
  };

  /** How many letters of a text are private. */
  const lettersIn = (text: string) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    const found = alone.includes(plain.toLowerCase()) ? [plain] : pattern ? (plain.match(pattern) ?? []) : [];
    return found.join('').replaceAll(' ', '').length;
  };

  const closed: unknown = Reflect.get(globalThis, Symbol.for('assay.closedRoots'));
  const roots: (Document | ShadowRoot)[] = [document, ...(Array.isArray(closed) ? closed : [])];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);

  /** What a control shows of its own; undefined for everything that shows what it is made of. */
  function ownTextOf(element: Element): string | undefined {
    if (element instanceof HTMLSelectElement)
      return [...element.selectedOptions].map(({ text, label }) => `${text}\n${label}`).join('\n');
    if (element instanceof HTMLTextAreaElement) return `${element.value}\n${element.placeholder}`;
    if (element instanceof HTMLInputElement) return `${element.value}\n${element.placeholder}`;
    return element instanceof HTMLImageElement
      ? `${element.alt}\n${drawnBy(element.currentSrc || element.src)}`
      : undefined;
  }

  /** The words of a drawing that stands in an address, or that the address asks somebody to draw. */
  function drawnBy(address: string): string {
    const [, kind = '', encoding = '', drawing = ''] = /^data:([^;,]*)([^,]*),(.*)$/s.exec(address) ?? [];
    if (kind !== '' && !kind.startsWith('image/svg')) return '';
    try {
      const read = decodeURIComponent(drawing || address);
      return (encoding.endsWith('base64') ? new TextDecoder().decode(bytesIn(read)) : read).replace(/<[^>]*>/g, '');
    } catch {
      return address;
    }
  }
  const bytesIn = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);

  function textOf(node: Node): string {
    const known = texts.get(node);
    if (known !== undefined) return known;
    const own =
      node instanceof HTMLBRElement
        ? ' '
        : node instanceof Element
          ? skipped.includes(node.tagName)
            ? ''
            : (ownTextOf(node) ?? [...node.childNodes].map(textOf).join(''))
          : node.nodeType === Node.TEXT_NODE
            ? (node.textContent ?? '')
            : [...node.childNodes].map(textOf).join('');
    texts.set(node, own);
    return own;
  }

  if (attribute === '') {
    const styled = roots.flatMap((root) => [
      ...[...root.querySelectorAll('style')].map((sheet) => sheet.textContent ?? ''),
      ...[...root.querySelectorAll('*')].flatMap((element) => [...element.attributes].map(({ value }) => value)),
    ]);
    // A picture that stands in an attribute says nothing, or it is read as a picture.
    const said = [...roots.map(textOf), ...styled.filter((value) => !value.startsWith('data:'))].join('\n');
    return { shown: 0, known: 0, said };
  }

  // What a style sheet writes before and after an element comes from an attribute, its own or another's, or from the sheet.
  const isStyled = roots.some(
    (root) =>
      [...root.querySelectorAll('style')].some((sheet) => hits(sheet.textContent ?? '') > 0) ||
      [...root.querySelectorAll('*')].some((element) => [...element.attributes].some(({ value }) => hits(value) > 0)),
  );
  function addedTo(element: Element): string {
    return ['::before', '::after'].map((part) => getComputedStyle(element, part).content).join('\n');
  }

  function shows(element: Element): boolean {
    if (skipped.includes(element.tagName)) return false;
    if (isStyled && hits(addedTo(element).replaceAll('"', ' ')) > 0) return true;
    const ownText = ownTextOf(element);
    if (ownText !== undefined) return ownText.split('\n').some((line) => hits(line) > 0) || hits(ownText) > 0;
    return isPutTogether(element);
  }

  /** More than its parts show one by one. */
  function isPutTogether(whole: Element | ShadowRoot): boolean {
    const parts = [...whole.children].reduce((sum, child) => sum + lettersIn(textOf(child)), 0);
    return lettersIn(textOf(whole)) > parts;
  }

  /** Nobody finds what lies in a closed root: then the whole of it is covered. */
  function reachable(element: Element): Element {
    let target = element;
    for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
      if (root.mode === 'closed') target = root.host;
    return target;
  }

  /** Most pages show nothing of it: what the whole text of a root does not hold, no part of it shows. */
  function mayShow(root: Document | ShadowRoot): boolean {
    if (isStyled || alone.length > 0) return true;
    // Where a word or a number ends depends on what stands beside it, which is not the same in a part.
    const anywhere = new RegExp(source.replaceAll(/\(\?<?![^()]*\)/g, ''), 'iu');
    return anywhere.test(textOf(root).replace(/\s+/g, ' '));
  }

  let [shown, known] = [0, 0];
  function mark(element: Element): void {
    const target = reachable(element);
    shown++;
    if (target.hasAttribute(attribute)) known++;
    else target.setAttribute(attribute, '');
  }
  for (const root of roots.filter(mayShow)) {
    // What stands in a root and in no element of it is covered with its host.
    if (root instanceof ShadowRoot && isPutTogether(root)) mark(root.host);
    for (const element of root.querySelectorAll('*')) if (shows(element)) mark(element);
  }
  return { shown, known, said: '' };
}

/** In the page: whether all of it is black now. How it looked is remembered under the name of the mark. */
function blackenInPage(attribute: string): boolean {
  const looks = new Map<Element, string | null>();
  Reflect.set(window, Symbol.for(attribute), looks);
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (!element.hasAttribute(attribute)) continue;
      if (!(element instanceof HTMLElement)) return false;
      looks.set(element, element.getAttribute('style'));
      // A background that is painted makes one box of it, whatever stands in it.
      for (const [name, value] of [
        ['transition', 'none'],
        ['background', '#000'],
        ['filter', 'brightness(0)'],
      ] as const)
        element.style.setProperty(name, value, 'important');
    }
  return [...looks.keys()].every((element) => {
    const { filter, backgroundColor, display } = getComputedStyle(element);
    return filter === 'brightness(0)' && backgroundColor === 'rgb(0, 0, 0)' && display !== 'contents';
  });
}

function unmarkInPage(attribute: string): void {
  const looks: unknown = Reflect.get(window, Symbol.for(attribute));
  if (looks instanceof Map)
    for (const [element, style] of looks)
      if (style === null) element.removeAttribute('style');
      else element.setAttribute('style', style);
  Reflect.deleteProperty(window, Symbol.for(attribute));
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      element.removeAttribute(attribute);
    }
}
