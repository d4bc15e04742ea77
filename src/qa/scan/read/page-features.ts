import { type Control, isField, type PageReading } from '../../../platform/page/page-model.ts';
import { urlTemplate } from '../site-urls.ts';
import type { ClickTarget, FormEvidence, FormField, PageState } from '../use-case-evidence.ts';
import { honeypotName } from '../words/page-words.ts';
import type { FormLayout, PageLayout, PageLink } from './page-layout.ts';

/** A recorded page: the input of all recognition. */
export interface RecordedPage {
  state: PageState;
  reading: PageReading;
  setting: PageLayout;
  /** Recorded while signed in. */
  behindLogin: boolean;
  /** Buttons that were clicked before; empty for the page as it opens. */
  opened: ClickTarget[];
  artifactId: string | null;
}

/** Features of a form, or of fields and a button without a form element. */
export interface FormFeatures extends FormLayout {
  form: FormEvidence;
  /** Visible fields; the others belong to a later step. */
  shown: FormField[];
  /** Labels, names, placeholders and groups of its fields. */
  fieldWords: string;
  /** Text of its submit button. */
  submitWords: string;
  /** Headings and path of its page. */
  pageWords: string;
  autocomplete: ReadonlySet<string>;
  kinds: ReadonlySet<string>;
  passwords: number;
  /** Share of prefilled fields, 0 to 1. */
  filled: number;
  /** Its submit button is disabled, as for a sold-out product. */
  isOff: boolean;
  page: RecordedPage;
}

/** Features of a page outside its forms. */
export interface PageFeatures {
  page: RecordedPage;
  links: PageLink[];
  buttons: ClickTarget[];
  words: string;
  forms: FormFeatures[];
}

export function formsOnPage(page: RecordedPage): FormFeatures[] {
  const { reading, setting } = page;
  const groups = Map.groupBy(reading.controls, ({ form, frame }) => [...frame, form?.index ?? -1].join(' > '));
  const parts = [...groups.values()].flatMap((controls) => (controls[0]?.form ? [controls] : groupByButton(controls)));
  return parts.flatMap((controls) => {
    const fields = controls.filter((control) => isField(control) && !isHoneypot(control));
    const buttons = controls
      .filter(({ kind }) => kind === 'submit' || kind === 'button')
      .sort((a, b) => Number(a.disabled) - Number(b.disabled));
    const [first] = controls;
    const index = first?.form?.index ?? -1;
    // Fields next to a button count as a form without a form element.
    if (index === -1 && (fields.length === 0 || buttons.length === 0)) return [];
    const layout = (first?.frame.length === 0 && setting.forms[index]) || noFormLayout;
    const submit = index === -1 ? nearestButton(fields, buttons) : findSubmit(buttons);
    return first ? [formFeatures(page, { layout, first, fields, submit })] : [];
  });
}

/** Groups controls without a form element: fields belong to the next button. */
function groupByButton(controls: readonly Control[]): Control[][] {
  const parts: Control[][] = [];
  let open: Control[] = [];
  for (const control of controls.toSorted((a, b) => a.order - b.order)) {
    if (isField(control)) open.push(control);
    else if (open.length > 0 && control.visible && (control.kind === 'button' || control.kind === 'submit')) {
      parts.push([...open, control]);
      open = [];
    }
  }
  // Fields without a button belong to the group before them.
  const last = parts.at(-1);
  if (open.length > 0 && last) last.splice(-1, 0, ...open);
  else if (open.length > 0) parts.push([...controls]);
  return parts;
}

const noFormLayout: FormLayout = {
  place: 'main',
  heading: '',
  isSearch: false,
  multipart: false,
  isItem: false,
  hiddenParts: [],
};

/** Kinds of fields that always have a value. */
const PRESET_KINDS = ['select', 'checkbox', 'radio-group', 'range'];

interface FormParts {
  layout: FormLayout;
  first: Control;
  fields: Control[];
  submit: Control | undefined;
}

function formFeatures(page: RecordedPage, { layout, first, fields: controls, submit }: FormParts): FormFeatures {
  const form = toFormEvidence(first, controls, submit, page.state.url);
  const { fields } = form;
  const shown = fields.filter(({ hidden }) => !hidden);
  const words = (list: (string | undefined)[]) => list.filter(Boolean).join(' · ');
  const { state } = page;
  const isOwn = layout.place === 'main' || layout.place === 'dialog';
  return {
    ...layout,
    page,
    shown,
    form,
    fieldWords: words(
      fields.flatMap(({ label, key, placeholder, group }) => [label, splitWords(key), placeholder, group]),
    ),
    submitWords: [submit?.name, submit?.description].filter(Boolean).join(' · '),
    // A form in the header or footer is not about its page.
    pageWords: isOwn
      ? words([
          layout.heading,
          state.heading,
          splitWords(state.template),
          ...page.reading.dialogs.map(({ name }) => name),
        ])
      : layout.heading,
    autocomplete: new Set(fields.flatMap(({ autocomplete }) => autocomplete?.split(' ') ?? [])),
    kinds: new Set(shown.map(({ kind }) => kind)),
    isOff: submit?.disabled === true,
    passwords: shown.filter(({ kind }) => kind === 'password').length,
    filled:
      shown.length === 0
        ? 0
        : shown.filter(({ value, kind }) => value !== '' && !PRESET_KINDS.includes(kind)).length / shown.length,
  };
}

/** Evidence of the form that a control belongs to. */
export function toFormEvidence(
  part: Control,
  fields: readonly Control[],
  submit: Control | undefined,
  pageUrl: string,
): FormEvidence {
  return {
    method: part.form ? (part.form.method.toLowerCase() === 'post' ? 'post' : 'get') : 'script',
    action: actionPath(part, pageUrl),
    fields: fields.map(toFormField),
    submit: submit ? toClickTarget(submit) : null,
    ...(leavesOrigin(part, pageUrl) && { leaves: true }),
  };
}

function leavesOrigin(part: Control, pageUrl: string): boolean {
  return part.form !== null && actionUrl(part, pageUrl)?.origin !== URL.parse(pageUrl)?.origin;
}

export function pageFeatures(page: RecordedPage): PageFeatures {
  const { reading, setting, state } = page;
  return {
    page,
    links: setting.links,
    buttons: reading.controls
      .filter(({ kind, visible }) => visible && (kind === 'button' || kind === 'submit'))
      .map(toClickTarget),
    words: [state.heading, state.title, splitWords(state.template)].join(' · '),
    forms: formsOnPage(page),
  };
}

/** The control of a link, with its locators. */
export function linkTarget({ reading }: RecordedPage, { href, text }: PageLink): ClickTarget {
  const found =
    reading.controls.find((control) => control.href === href && control.name === text) ??
    reading.controls.find((control) => control.href === href);
  return found ? toClickTarget(found) : { name: text, role: 'link', kind: 'link', href, ladder: [] };
}

export function toClickTarget({ name, role, kind, href, ladder }: Control): ClickTarget {
  return { name, role, kind, href, ladder };
}

function toFormField(control: Control): FormField {
  const { kind, role, group, placeholder, required, readOnly, value, checked, constraints, options, ladder } = control;
  const label = control.name || placeholder || group;
  return {
    ...{ kind, role, group, placeholder, required, readOnly, checked, ladder, label },
    ...constraints,
    key: control.nameAttribute || control.id || label,
    value: kind === 'password' ? '' : value,
    options: options
      .slice(0, 50)
      .map(({ label: name, value: sent, ladder: way }) => ({ label: name, value: sent, ladder: way })),
    hidden: !control.visible,
  };
}

function actionPath(control: Control, pageUrl: string): string {
  const url = actionUrl(control, pageUrl);
  return url ? urlTemplate(url) : '';
}

/** URL that a form is sent to; null without a form element. */
function actionUrl({ form }: Control, pageUrl: string): URL | null {
  return form && URL.parse(form.action || pageUrl, pageUrl);
}

/** Whether a field is a honeypot: hidden, with a name that attracts bots. */
function isHoneypot({ visible, nameAttribute, name, kind }: Control): boolean {
  if (kind === 'file' || visible) return false;
  return honeypotName.test(`${nameAttribute ?? ''} ${name}`);
}

/** The visible submit button, or else the last visible button. */
function findSubmit(buttons: readonly Control[]): Control | undefined {
  const seen = buttons.filter(({ visible }) => visible);
  return seen.find(({ kind }) => kind === 'submit') ?? seen.at(-1) ?? buttons.find(({ kind }) => kind === 'submit');
}

/** The first visible button after the last field. */
function nearestButton(fields: readonly Control[], buttons: readonly Control[]): Control | undefined {
  const last = Math.max(...fields.map(({ order }) => order));
  return buttons.find(({ order, visible }) => visible && order > last) ?? buttons.at(-1);
}

/** Splits `/account/sign-up` and `firstName` into words. */
function splitWords(text: string): string {
  return text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[/_.:-]+/g, ' ');
}
