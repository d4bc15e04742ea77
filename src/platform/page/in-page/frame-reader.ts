import type { PageReading } from '../page-model.ts';
import { controlContextTools } from './control-context.ts';
import { type ControlTools, controlTools, type FrameControl } from './control-tools.ts';
import { factsInPage } from './element-facts.ts';
import { type GroupTools, groupTools } from './group-tools.ts';
import { nameTools } from './name-tools.ts';
import { type FrameError, type PageOutlineTools, pageOutlineTools } from './page-outline.ts';
import { rungTools } from './rung-tools.ts';

export interface FrameReading extends Pick<PageReading, 'title' | 'language' | 'headings' | 'landmarks' | 'dialogs'> {
  controls: FrameControl[];
  errors: FrameError[];
  /** How many controls there are, where only some are listed. */
  controlCount: number;
}

export interface FrameLimits {
  mostControls: number;
  mostOptions: number;
}

/**
 * Runs in the page (see names.ts): all elements, those in open shadow roots too, in the order of the page. A form is never
 * asked for its `children`: where it has an input of that name, it answers with that.
 */
function elementsIn(document: Document): Element[] {
  const found: Element[] = [];
  const walk = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      // The options of a list are read with their list, and the inside of a drawing holds nothing.
      if (/^(option|optgroup)$/.test(element.localName) || element instanceof SVGElement) continue;
      found.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);
  return found;
}

function readControls(
  all: readonly Element[],
  { kindOf, describe, groupElement }: ControlTools,
  { groupsAmong, asGroup }: GroupTools,
  { headings, landmarks, dialogs, errors }: PageOutlineTools,
  limits: FrameLimits,
): FrameReading {
  const possible = 'input,select,textarea,button,a[href],summary,[role],[contenteditable],[onclick]';
  const known = all.flatMap((element) => {
    const kind = element.matches(possible) ? kindOf(element) : undefined;
    return kind ? [{ element, kind }] : [];
  });
  // What a combobox opens is a part of it.
  const popups = new Set(
    known.flatMap(({ element }) =>
      element.getAttribute('role') === 'combobox' || element.hasAttribute('aria-autocomplete')
        ? `${element.getAttribute('aria-controls') ?? ''} ${element.getAttribute('aria-owns') ?? ''}`.split(/\s+/)
        : [],
    ),
  );
  const own = known.filter(({ element, kind }) => kind !== 'listbox' || !element.id || !popups.has(element.id));
  const buttons = own.flatMap(({ element, kind }) =>
    kind === 'radio' || kind === 'checkbox' ? [{ element, kind }] : [],
  );
  const groups = groupsAmong(buttons);
  const members = new Map([...groups.values()].flatMap((group) => group.map((member) => [member, group[0]] as const)));
  const first = own.filter(({ element }) => !members.has(element) || members.get(element) === element);
  const boxes = new Map<Element, number>();
  const listed = first.slice(0, limits.mostControls);
  const controls = listed.flatMap(({ element, kind }) => {
    const group = groups.get(element);
    const type = kind === 'radio' ? 'radio' : 'checkbox';
    const control = group ? asGroup(group, type, limits.mostOptions) : describe(element, kind, limits.mostOptions);
    const box = groupElement(element);
    if (box && !boxes.has(box)) boxes.set(box, boxes.size);
    return control ? [{ ...control, groupIndex: box ? (boxes.get(box) ?? -1) : -1 }] : [];
  });
  return {
    title: document.title,
    language: document.documentElement.lang,
    headings: headings(),
    landmarks: landmarks(),
    dialogs: dialogs(),
    controls,
    errors: errors(listed.map(({ element }) => element)),
    controlCount: first.length,
  };
}

/** The script that reads a frame: an expression whose value is a `FrameReading`. Built of the texts of functions. */
export function readFrameScript(limits: FrameLimits): string {
  return `(() => {
    const all = (${elementsIn})(document);
    const names = (${nameTools})();
    const rungs = (${rungTools})(names, all);
    const around = (${controlContextTools})(names);
    const controls = (${controlTools})(names, rungs, around, ${factsInPage});
    const groups = (${groupTools})(names, rungs, around, controls);
    const surroundings = (${pageOutlineTools})(names, all);
    return (${readControls})(all, controls, groups, surroundings, ${JSON.stringify(limits)});
  })()`;
}

function readErrors(all: readonly Element[], { errors }: PageOutlineTools): FrameError[] {
  return errors(all.filter((element) => element.matches('input,select,textarea')));
}

/** The script that reads only what a frame says is wrong: an expression whose value is a `FrameError[]`. */
export function readErrorsScript(): string {
  return `(() => {
    const all = (${elementsIn})(document);
    return (${readErrors})(all, (${pageOutlineTools})((${nameTools})(), all));
  })()`;
}
