import { isTicker, knownRoots, quietPeriod, restartWatch } from './change-watch.ts';
import { ofDocument, ofElement, queryRoots, type Root, textNodes } from './dom.ts';
import { isVisible } from './visibility.ts';

/** What tells whether a document is still being built. */
export interface LoadingState {
  isParsing: boolean;
  /** It has scripts, so it can change by itself. */
  isScripted: boolean;
  quietMs: number;
  /** A visible region or progress bar says that the page is loading. */
  isBusy: boolean;
  /** A visible box without text is animated without end: a spinner or a skeleton. */
  isSpinning: boolean;
  /** The main region has no content. */
  isEmpty: boolean;
  /** An animation is running that ends soon, such as that of a dialog that opens. */
  isEntering: boolean;
  areFontsLoading: boolean;
}

const BUSY =
  '[aria-busy="true" i], progress:not([value]), [role="progressbar" i]:not([aria-valuenow]):not([aria-valuetext])';
const MEDIA = 'img, svg, canvas, video, audio, object, embed, iframe, input, select, textarea, button, math';
/** Animations that run longer are decoration. */
const ENTRY_MS = 2_000;

export function readLoadingState({ restart }: { restart: boolean }): LoadingState {
  if (restart) restartWatch();
  const quietMs = quietPeriod();
  const isScripted = [...ofDocument(document, 'scripts')].some(isExecutable);
  const running = isScripted ? visibleAnimations() : [];
  return {
    isParsing: ofDocument(document, 'readyState') === 'loading',
    isScripted,
    quietMs,
    isBusy: isScripted && queryRoots(knownRoots(), BUSY).some(isVisible),
    isSpinning: running.some(({ target, endless }) => endless && isTextless(target)),
    isEmpty: isScripted && isMainEmpty(),
    isEntering: running.some(({ target, remainingMs }) => remainingMs < ENTRY_MS && !isTicker(target)),
    areFontsLoading: ofDocument(document, 'fonts').status === 'loading',
  };
}

function isExecutable({ type }: { type: string }): boolean {
  return type === '' || type === 'module' || /^(?:text|application)\/(?:x-)?(?:java|ecma)script$/i.test(type.trim());
}

interface RunningAnimation {
  target: Element;
  endless: boolean;
  remainingMs: number;
}

function visibleAnimations(): RunningAnimation[] {
  return ofDocument(document, 'getAnimations')().flatMap(({ playState, effect, currentTime }) => {
    if (playState !== 'running' || !(effect instanceof KeyframeEffect) || !effect.target) return [];
    const { iterations, endTime } = effect.getComputedTiming();
    const at = Number(currentTime ?? 0);
    const endless = iterations === Number.POSITIVE_INFINITY;
    const remainingMs = endless || at <= 0 ? Number.POSITIVE_INFINITY : Number(endTime) - at;
    return isVisible(effect.target) ? [{ target: effect.target, endless, remainingMs }] : [];
  });
}

function isTextless(element: Element): boolean {
  return (element.textContent ?? '').trim() === '';
}

function isMainEmpty(): boolean {
  const roots = knownRoots();
  const main = queryRoots(roots, 'main, [role="main" i]', 1)[0] ?? ofDocument(document, 'body');
  if (!main) return true;
  if (ofElement(main, 'querySelector')(MEDIA) || hasVisibleText(main)) return false;
  // What shadow roots and frames contain may be shown in it.
  return !roots.some((root) => root !== document && (queryRoots([root], MEDIA, 1).length > 0 || hasVisibleText(root)));
}

function hasVisibleText(root: Root | Element): boolean {
  return textNodes(root).some(({ parentElement }) => parentElement !== null && isVisible(parentElement));
}
