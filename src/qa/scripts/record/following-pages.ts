import { type Control, isField, type PageReading } from '../../../platform/page/page-model.ts';
import { validValue } from '../../cases/values/field-values.ts';
import { toFormEvidence } from '../../scan/read/page-features.ts';
import type { FormEvidence } from '../../scan/use-case-evidence.ts';
import { pageVocabulary } from '../page-vocabulary.ts';
import { describeField, fieldKey, stepsToSetField, toElementTarget } from './field-steps.ts';
import type { ScriptRecorder } from './script-recorder.ts';
import { withStableLocators } from './stable-locator.ts';
import { recordTypeaheadChoice } from './typeahead.ts';

const MAX_FOLLOWING_PAGES = 8;

/**
 * Fills in and submits every following page, until no form is left, a page rejects its input, or the maximum is
 * reached. Returns the pages; one of them may be submitted with a double click.
 */
export async function recordFollowingPages(
  recorder: ScriptRecorder,
  { from, sentTwice, most = MAX_FOLLOWING_PAGES }: FollowingPagesOptions,
): Promise<FormEvidence[]> {
  const pages: FormEvidence[] = [];
  while (pages.length < most) {
    const reading = await recorder.read();
    // The first page is still shown: it was rejected, or there is no other.
    if (pages.length === 0 && isSamePage(reading, from)) return pages;
    const next = findNextButton(reading);
    if (!next) return pages;
    const url = recorder.page().url();
    const before = url + JSON.stringify(reading.headings);
    const fields = fieldsOfForm(reading, next);
    pages.push(toFormEvidence(next, fields, next, url));
    for (const control of fields) await recordDefaultValue(recorder, control);
    await recorder.recordTransition({
      do: 'click',
      on: toElementTarget(withStableLocators(next, reading)),
      times: pages.length === sentTwice ? 2 : 1,
    });
    const after = await recorder.read();
    if (before === recorder.page().url() + JSON.stringify(after.headings)) return pages;
  }
  return pages;
}

interface FollowingPagesOptions {
  /** The first page, before its submission. */
  from: PageReading;
  /** Number of the page, from 1, that is submitted with a double click. */
  sentTwice?: number | undefined;
  most?: number | undefined;
}

function isSamePage(one: PageReading, other: PageReading): boolean {
  const shape = ({ url, headings, controls }: PageReading) =>
    JSON.stringify([
      url,
      headings,
      controls.flatMap((control) => (isVisibleField(control) ? [fieldKey(control), control.name] : [])),
    ]);
  return shape(one) === shape(other);
}

const isVisibleField = (control: Control) => isField(control) && control.visible;

async function recordDefaultValue(recorder: ScriptRecorder, control: Control): Promise<void> {
  const isSet = control.value !== '' && !['number', 'range'].includes(control.kind);
  if (control.readOnly || control.disabled || isSet || control.checked !== null) {
    if (control.checked === false && control.required)
      for (const step of stepsToSetField(control, 'true')) await recorder.record(step);
    return;
  }
  if (control.kind === 'file' && !control.required) return;
  const value = control.kind === 'file' ? 'assay-test.txt' : validValue(describeField(control));
  if (value === undefined || value === '') return;
  recorder.rememberField(fieldKey(control), toElementTarget(control));
  if (await recordTypeaheadChoice(recorder, control)) return;
  for (const step of stepsToSetField(control, value)) await recorder.record(step);
}

/** The button that leads to the next page of a form with several pages. */
function findNextButton({ controls }: PageReading): Control | undefined {
  const buttons = controls.filter(
    ({ kind, visible, disabled, name }) =>
      (kind === 'submit' || kind === 'button') && visible && !disabled && !pageVocabulary.otherButton.test(name),
  );
  return (
    buttons.find(({ name, form }) => pageVocabulary.nextPage.test(name) && form) ??
    buttons.find(({ name }) => pageVocabulary.nextPage.test(name))
  );
}

function fieldsOfForm({ controls }: PageReading, button: Control): Control[] {
  return controls.filter((control) => isVisibleField(control) && control.form?.index === button.form?.index);
}
