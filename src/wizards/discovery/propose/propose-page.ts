import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import { type Control, isField, type PageReading } from '../../../platform/page/page-model.ts';
import { findCatastrophicPatterns } from '../../../platform/text/pattern-time-limit.ts';
import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import { fieldPatterns } from '../../files/field-traits.ts';
import type { buttonSchema, VisibleWhen } from '../../files/wizard-schema.ts';
import { certainContinueName, continueButtonName, otherButtonName } from '../../vocabulary/buttons.ts';
import { searchLabel, shortLabel } from '../../vocabulary/field-labels.ts';
import { bestSelector } from '../read-page/selector.ts';
import { type DiscoverySession, pageKeyOf, type SavedPage } from '../session/discovery-session.ts';
import { uniqueFieldId } from './field-id.ts';
import { createPersonalTextMask, type PersonalTextMask } from './personal-text.ts';
import { type ProposedField, proposeField } from './propose-field.ts';
import { proposeRowGroups } from './row-groups.ts';
import { describeSurroundings } from './surroundings.ts';
import { urlPatternOf } from './url-pattern.ts';

type ProposedButton = z.input<typeof buttonSchema>;

/** Page metadata to save; without continue_button if no button was found. */
interface ProposedPage {
  page_number: number;
  page_title: string;
  url_pattern: string;
  fields: ProposedField[];
  continue_button?: ProposedButton;
  fingerprint: string;
}

export interface PageProposal {
  page: ProposedPage;
  /** The control of each proposed field, by its id. */
  controls: Map<string, Control>;
  /** What the agent should know before it saves the page. */
  remarks: string[];
}

/** The metadata of the open page: its fields with everything known about them, and the continue button. */
export function proposePage(session: DiscoverySession, reading: PageReading): PageProposal {
  const taken = new Set(
    [...otherPages(session, reading)].flatMap(({ page }) => page.fields.map(({ field_id }) => field_id)),
  );
  const rows = proposeRowGroups(session, pageKeyOf(reading), taken);
  const controls = listFields(reading).filter((control) => !rows.isPart(control));
  const open = createPersonalTextMask(session);
  const opened = new Map(controls.map((control) => [control, open.maskControl(control)]));
  const openOf = (control: Control) => opened.get(control) ?? control;
  const named = controls.map((control) => {
    const label = labelOf(openOf(control), [...opened.values()]);
    const id = uniqueFieldId(openOf(control), label, taken);
    taken.add(id);
    return { control, label, id };
  });
  const ids = new Map(named.map(({ control, id }) => [control.name, id]));
  const fields = named.map(({ control, label, id }) => ({
    ...proposeField(openOf(control), id, label, session.answers.get(control.name) ?? ''),
    ...describeSurroundings(control, session, reading),
    ...visibilityCondition(
      session,
      control,
      ids,
      named.map((each) => each.control),
    ),
  }));
  const { fields: safe, remarks: left } = withoutSlowPatterns([...fields, ...rows.fields]);
  const button = continueButton(reading, open);
  return {
    page: {
      page_number: pageNumberFor(session, reading),
      page_title: open.maskText(titleOf(reading)),
      url_pattern: urlPatternOf(reading.url),
      fields: safe,
      ...(button && { continue_button: button }),
      fingerprint: pageFingerprint(reading),
    },
    controls: new Map(named.map(({ control, id }) => [id, control])),
    remarks: [...left, ...describeRemarks(reading, fields, button !== undefined)],
  };
}

/** Removes patterns of the site that backtrack without end. */
function withoutSlowPatterns(fields: readonly ProposedField[]): { fields: ProposedField[]; remarks: string[] } {
  const bad = findCatastrophicPatterns(fields.flatMap(fieldPatterns));
  const remarks: string[] = [];
  const clean = <Field extends { label?: string | undefined; pattern?: string | undefined }>(field: Field): Field => {
    if (field.pattern === undefined || !bad.has(field.pattern)) return field;
    remarks.push(`The pattern of ${JSON.stringify(field.label)} is left out: matching it can take forever.`);
    return { ...field, pattern: undefined };
  };
  const cleaned = fields.map((field) => ({
    ...clean(field),
    ...(field.sub_fields && { sub_fields: field.sub_fields.map(clean) }),
  }));
  return { fields: cleaned, remarks };
}

/** The saved pages other than this one. */
function* otherPages(session: DiscoverySession, reading: PageReading) {
  for (const saved of session.pages.values()) if (!isSamePage(saved, reading)) yield saved;
}

function pageNumberFor({ pages }: DiscoverySession, reading: PageReading): number {
  const same = [...pages.values()].find((saved) => isSamePage(saved, reading));
  return same?.page.page_number ?? Math.max(0, ...pages.keys()) + 1;
}

/** A page at the same address that shares no question is the next page. */
function isSamePage({ pageKey, questions }: SavedPage, reading: PageReading): boolean {
  return pageKey === pageKeyOf(reading) && sharesQuestion(questions, listQuestions(reading));
}

export function listQuestions(reading: PageReading): string[] {
  return listFields(reading).map(({ name }) => name);
}

export function sharesQuestion(before: readonly string[], now: readonly string[]): boolean {
  return now.some((name) => before.includes(name)) || (before.length === 0 && now.length === 0);
}

/** The questions of a page, without the search box of the site. */
function listFields({ controls }: PageReading): Control[] {
  const all = controls.filter(
    (control) => isField(control) && control.visible && !control.readOnly && control.kind !== 'file',
  );
  const forms = new Map<number, number>();
  for (const { form } of all) if (form) forms.set(form.index, (forms.get(form.index) ?? 0) + 1);
  const isSearch = ({ kind, name, form }: Control) =>
    (kind === 'search' || search.test(name)) && form !== null && forms.get(form.index) === 1;
  const asked = all.filter((control) => !isSearch(control));
  return asked.length > 0 ? asked : all;
}

/** A name that means nothing alone, such as "Yes", is preceded by its question. */
function labelOf(control: Control, controls: readonly Control[]): string {
  const name =
    control.name || control.placeholder || control.nameAttribute || control.id || `Field ${control.order + 1}`;
  const isShared = controls.filter((other) => other.name === control.name).length > 1;
  const isShort = meaninglessAlone.test(name);
  return control.group && control.group !== name && (isShared || isShort) ? `${control.group} - ${name}` : name;
}

function visibilityCondition(
  { reveals, questionsByAnswer }: DiscoverySession,
  control: Control,
  ids: ReadonlyMap<string, string>,
  controls: readonly Control[],
): Pick<ProposedField, 'visible_when'> {
  const reveal = reveals.get(control.name);
  const field = reveal && ids.get(reveal.question);
  const by = controls.find(({ name }) => name === reveal?.question);
  if (!reveal || !field || !by) return {};
  const [equals, ...others] = [...reveal.values].flatMap((value) => toOptionValue(by, value) ?? []);
  if (equals === undefined) return {};
  const without = [...(questionsByAnswer.get(reveal.question) ?? [])].filter(([, asked]) => !asked.has(control.name));
  const hidden_with = without.flatMap(([value]) => toOptionValue(by, value) ?? []);
  const shown = others.length > 0 ? { one_of: [equals, ...others] } : { equals };
  // With several choices at once, it is unknown which one revealed the field.
  const isOne = by.kind !== 'checkbox-group' && by.kind !== 'multi-select';
  return { visible_when: { field, ...shown, ...(isOne && { hidden_with }) } };
}

/** The value of the proposed option for an answer. */
function toOptionValue(by: Control, value: string): VisibleWhen['equals'] {
  if (by.kind === 'checkbox' || by.kind === 'switch') return value === 'true';
  const option = by.options.find((each) => each.value === value || each.label === value);
  const proposed = proposeField(by, 'x', by.name, '').options?.find(({ label }) => label === option?.label);
  return proposed?.value ?? value;
}

function titleOf({ headings, title, url }: PageReading): string {
  const heading = headings.find(({ level }) => level === 1) ?? headings[0];
  return heading?.text || title || new URL(url).pathname || 'Page';
}

const continueName = new RegExp(phrasesOf(continueButtonName), 'i');
const otherName = new RegExp(phrasesOf(otherButtonName), 'i');
const certainName = new RegExp(phrasesOf(certainContinueName), 'i');
const search = new RegExp(phrasesOf(searchLabel), 'i');
const meaninglessAlone = new RegExp(`^(?:${phrasesOf(shortLabel)})\\W*$`, 'i');

function continueButton({ controls }: PageReading, open: PersonalTextMask): ProposedButton | undefined {
  const buttons = controls.filter(
    ({ kind, visible, name }) => visible && name !== '' && /^(submit|button|link)$/.test(kind),
  );
  const fields = controls.filter((control) => isField(control) && control.visible);
  const main = fields.find(({ form }) => form !== null)?.form?.index;
  const score = ({ kind, name, form, order }: Control) =>
    (continueName.test(name.trim()) ? 8 : 0) +
    (kind === 'submit' ? 4 : kind === 'button' ? 2 : 0) +
    (form && form.index === main ? 2 : 0) -
    (otherName.test(name) && !certainName.test(name) ? 10 : 0) +
    order / 10_000;
  const [best] = buttons.filter((control) => score(control) >= 4).sort((a, b) => score(b) - score(a));
  if (!best) return undefined;
  const { ladder } = open.maskControl(best);
  const selector = bestSelector(ladder);
  const text = open.isImpersonal(best.name) ? best.name : '';
  return selector ? { text, selector, selector_type: 'css', locators: ladder.map(rungToSelector) } : undefined;
}

/** A hash of the questions of a page, to notice when they change. */
export function pageFingerprint(reading: PageReading): string {
  const facts = listFields(reading).map(({ kind, name, required }) => [kind, name, required]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

function describeRemarks(reading: PageReading, fields: readonly ProposedField[], hasButton: boolean): string[] {
  const remarks = reading.left.map((what) => `Left out: ${what}.`);
  const files = reading.controls.filter(({ kind, visible }) => kind === 'file' && visible);
  for (const { name } of files) remarks.push(`The file upload ${JSON.stringify(name)} cannot be a field of a wizard.`);
  if (reading.controls.some(({ kind, visible }) => kind === 'password' && visible))
    remarks.push('The page asks for a password. A form behind a login cannot be run for other users.');
  for (const { label, example_value } of fields)
    if (example_value === '') remarks.push(`No example is known for ${JSON.stringify(label)}. Set example_value.`);
  if (fields.length === 0 && !hasButton)
    remarks.push('The page has no fields and no continue button. It may be the results page.');
  else if (!hasButton) remarks.push('No continue button was found.');
  return remarks;
}
