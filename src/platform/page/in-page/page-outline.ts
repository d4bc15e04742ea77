import type { Heading, PageReading } from '../page-model.ts';
import type { NameTools } from './name-tools.ts';

export interface FrameError {
  text: string;
  /** The number of the element among the controls of the frame, or -1. */
  control: number;
}

/** Runs in the page (see names.ts): what a page has beside its controls. */
export function pageOutlineTools(names: NameTools, all: readonly Element[]) {
  const MOST = 100;
  const landmarkTags: Record<string, string> = {
    MAIN: 'main',
    NAV: 'navigation',
    ASIDE: 'complementary',
    HEADER: 'banner',
    FOOTER: 'contentinfo',
    FORM: 'form',
    SEARCH: 'search',
  };
  const landmarkRoles = new Set('main navigation complementary banner contentinfo form search region'.split(' '));

  function headings(): Heading[] {
    const found = all.filter(
      (element) => /^H[1-6]$/.test(element.tagName) || element.getAttribute('role') === 'heading',
    );
    return found
      .filter((element) => names.isInTree(element))
      .slice(0, MOST)
      .map((element) => ({
        level: Number(element.getAttribute('aria-level') ?? element.tagName.slice(1)) || 2,
        text: names.textOf(element),
      }));
  }

  function landmarks(): PageReading['landmarks'] {
    return all
      .flatMap((element) => {
        const role = element.getAttribute('role') ?? landmarkTags[element.tagName];
        if (!role || !landmarkRoles.has(role) || !names.isInTree(element)) return [];
        const name = names.nameOf(element);
        return role === 'form' && !name ? [] : [{ role, name }];
      })
      .slice(0, MOST);
  }

  function dialogs(): PageReading['dialogs'] {
    return all
      .filter((element) => element.matches('dialog[open],[role=dialog],[role=alertdialog]') && names.isSeen(element))
      .slice(0, MOST)
      .map((element) => {
        const heading = element.querySelector('h1,h2,h3');
        const modal = element.getAttribute('aria-modal') === 'true' || element.matches(':modal');
        return { name: names.nameOf(element) || (heading ? names.textOf(heading) : ''), modal };
      });
  }

  const errorClasses =
    /(^|[\s_-])(error|errors|errorlist|invalid-feedback|has-error|field-validation-error|alert-danger|alert-error|validation-message|form-error)([\s_-]|$)|error-?(message|text|msg|summary)/i;

  function isErrorBox(element: Element): boolean {
    if (element.getAttribute('role') === 'alert' || element.getAttribute('aria-live') === 'assertive') return true;
    if (/^(INPUT|SELECT|TEXTAREA|FORM|BODY|HTML|LABEL|FIELDSET|BUTTON|MAIN|SVG)$/i.test(element.tagName)) return false;
    const classes = element.getAttribute('class');
    return classes !== null && errorClasses.test(classes) && !element.querySelector('input,select,textarea');
  }

  /** The control that a message is about: the one that names it, the one it links to, or the only one beside it. */
  function controlOf(box: Element, controls: readonly Element[]): number {
    const ids = new Set([box.id, ...[...box.querySelectorAll('[id]')].map(({ id }) => id)].filter(Boolean));
    const naming = controls.findIndex((control) =>
      `${control.getAttribute('aria-errormessage') ?? ''} ${control.getAttribute('aria-describedby') ?? ''}`
        .split(/\s+/)
        .some((id) => ids.has(id)),
    );
    if (naming >= 0) return naming;
    const link = box instanceof HTMLAnchorElement ? box : box.querySelector('a[href^="#"]');
    const target = link?.getAttribute('href')?.slice(1);
    const linked = target ? controls.findIndex(({ id }) => id === target) : -1;
    if (linked >= 0) return linked;
    for (let at = box.parentElement, up = 0; at && up < 3 && at.localName !== 'form'; at = at.parentElement, up++) {
      const inside = controls.flatMap((control, index) => (at?.contains(control) && !isClick(control) ? [index] : []));
      if (inside.length > 0) return inside.length === 1 || isOneQuestion(inside, controls) ? (inside[0] ?? -1) : -1;
    }
    return -1;
  }

  function isClick(control: Element): boolean {
    return control.matches(
      'button,a,input[type=button],input[type=submit],input[type=reset],input[type=image],[role=button]',
    );
  }

  function isOneQuestion(inside: readonly number[], controls: readonly Element[]): boolean {
    const namesOfThem = new Set(inside.map((index) => controls[index]?.getAttribute('name')));
    return namesOfThem.size === 1 && !namesOfThem.has(null);
  }

  function errors(controls: readonly Element[]): FrameError[] {
    const boxes = all.filter((element) => isErrorBox(element) && names.isSeen(element));
    const innermost = boxes.filter((box) => !boxes.some((other) => other !== box && box.contains(other)));
    const found: FrameError[] = innermost.flatMap((box) => messages(box, controls));
    for (const [index, control] of controls.entries()) {
      if (found.some((error) => error.control === index)) continue;
      const said = control.getAttribute('aria-invalid') === 'true' ? describing(control) : '';
      const native =
        control.matches(':user-invalid') && 'validationMessage' in control ? String(control.validationMessage) : '';
      if (said || native) found.push({ text: said || native, control: index });
    }
    return found.slice(0, MOST);
  }

  /** A summary of errors is a list of links, each to its control. */
  function messages(box: Element, controls: readonly Element[]): FrameError[] {
    const links = [...box.querySelectorAll('a[href^="#"]')];
    const parts = links.length > 1 ? links : [box];
    return parts.flatMap((part) => {
      const text = names.textOf(part);
      return text ? [{ text, control: controlOf(part, controls) }] : [];
    });
  }

  function describing(control: Element): string {
    const said = [...names.byIds(control, 'aria-errormessage'), ...names.byIds(control, 'aria-describedby')];
    return said
      .filter((each) => names.isSeen(each))
      .map((each) => names.textOf(each))
      .join(' ');
  }

  return { headings, landmarks, dialogs, errors };
}

export type PageOutlineTools = ReturnType<typeof pageOutlineTools>;
