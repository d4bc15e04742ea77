import { randomBytes } from 'node:crypto';
import type { Frame, Locator, Page } from 'playwright-core';
import { awaitWithin } from '../settle/time-limit.ts';
import { type ScreenshotOptions, takeScreenshot } from './screenshot.ts';

/** Private values to hide on a picture: a pattern for texts that contain one, and texts that are one. */
export interface PrivateText {
  source: string;
  alone: readonly string[];
}

/** Private values, and the frames that receive them anyway, so that these frames can search by themselves. */
export interface FramePrivateText extends PrivateText {
  isGivenTo?: (frame: Frame) => boolean;
}

export interface PrivateTextMask {
  /** Elements that show a private value now. */
  masks: Locator[];
  /** Paints these elements black in the page, for a picture that cannot be masked. False if they have to be masked. */
  blackOut(): Promise<boolean>;
  /** Whether the page still shows private values only at these elements. Call it after the picture was taken. */
  isStillAll(): Promise<boolean>;
  /** Restores the page. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Finds every element that shows a private value, in all frames and shadow roots, also if the text is split across
 * several elements. Throws if a frame cannot be read: a picture without this check is not shown.
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

/** Scripts of a frame could read the arguments, so the frame returns its texts and receives no private value. */
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

/** The private values that a text contains; undefined if it contains none. */
function countPrivateTexts(said: string, { source, alone }: PrivateText): PrivateText | undefined {
  const plain = said.replaceAll(/\s+/g, ' ');
  const small = plain.toLowerCase();
  // Word boundaries depend on the neighbouring text, which a part does not have.
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
 * Takes a picture without private values. Masks the whole page if the values keep moving or the page cannot be read.
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
    // A page that is being replaced cannot be read, but the next one can.
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

/** Undefined if the frame was removed meanwhile and shows nothing. */
async function ifThere<Result>(frame: Frame, look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look();
  } catch (error) {
    if (frame.isDetached()) return undefined;
    throw error;
  }
}

/** Runs in the page before its scripts: remembers closed shadow roots, so that a later search can read them. */
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

/** Runs in the page, without names from outside. Without a mark attribute it only returns the texts. */
function markInPage({ source, alone, attribute }: Marking): { shown: number; known: number; said: string } {
  const pattern = source === '' ? undefined : new RegExp(source, 'giu');
  const skipped = ['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT'];
  const texts = new Map<Node, string>();
  const hits = (text: string) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    return (pattern ? (plain.match(pattern)?.length ?? 0) : 0) + (alone.includes(plain.toLowerCase()) ? 1 : 0);
  };

  /** Number of private characters of a text. */
  const lettersIn = (text: string) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    const found = alone.includes(plain.toLowerCase()) ? [plain] : pattern ? (plain.match(pattern) ?? []) : [];
    return found.join('').replaceAll(' ', '').length;
  };

  const closed: unknown = Reflect.get(globalThis, Symbol.for('assay.closedRoots'));
  const roots: (Document | ShadowRoot)[] = [document, ...(Array.isArray(closed) ? closed : [])];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);

  /** The text that a control draws by itself; undefined for an element that shows its children. */
  function ownTextOf(element: Element): string | undefined {
    if (element instanceof HTMLSelectElement)
      return [...element.selectedOptions].map(({ text, label }) => `${text}\n${label}`).join('\n');
    if (element instanceof HTMLTextAreaElement) return `${element.value}\n${element.placeholder}`;
    if (element instanceof HTMLInputElement) return `${element.value}\n${element.placeholder}`;
    return element instanceof HTMLImageElement
      ? `${element.alt}\n${drawnBy(element.currentSrc || element.src)}`
      : undefined;
  }

  /** The text of a drawing in a data URL, or in the query of an image address. */
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
    // An image in an attribute has no text, or is searched as an image.
    const said = [...roots.map(textOf), ...styled.filter((value) => !value.startsWith('data:'))].join('\n');
    return { shown: 0, known: 0, said };
  }

  // The content of ::before and ::after comes from the style sheet or from an attribute of any element.
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

  /** Text that spans several children. */
  function isPutTogether(whole: Element | ShadowRoot): boolean {
    const parts = [...whole.children].reduce((sum, child) => sum + lettersIn(textOf(child)), 0);
    return lettersIn(textOf(whole)) > parts;
  }

  /** Elements in a closed root cannot be located, so its host is masked. */
  function reachable(element: Element): Element {
    let target = element;
    for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
      if (root.mode === 'closed') target = root.host;
    return target;
  }

  /** Most pages contain no private value: if the text of a root has none, no part of it has. */
  function mayShow(root: Document | ShadowRoot): boolean {
    if (isStyled || alone.length > 0) return true;
    // Word boundaries depend on the neighbouring text, which a part does not have.
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
    // Text directly below a root, outside of any element, is masked with its host.
    if (root instanceof ShadowRoot && isPutTogether(root)) mark(root.host);
    for (const element of root.querySelectorAll('*')) if (shows(element)) mark(element);
  }
  return { shown, known, said: '' };
}

/**
 * Runs in the page: whether all marked elements are black now. Their earlier style is stored under the name of the
 * mark.
 */
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
      // A painted background makes one box of the element, whatever it contains.
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
