import { isValueKept, normalizeWords } from '../../platform/page/act/value-comparison.ts';
import type { WidgetReading } from '../injected/widget-reading.ts';
import { includesWords, matchPart } from './match-part.ts';
import type { ValueResult } from './value-result.ts';

export type Judgement = ValueResult['status'] & ('confirmed' | 'unconfirmed' | 'different');
type Plain = string | number | boolean | readonly string[];

/**
 * Whether a control shows a value. What is certain counts first: the state of choices, the number of a slider, the text of a field.
 * A text next to the control counts only if it was not there before. Without any of these nothing can be said.
 */
export function judgeValue(value: Plain, now: WidgetReading, before?: WidgetReading): Judgement {
  if (!now.isPresent) return 'unconfirmed';
  if (typeof value === 'boolean') return judgeToggle(value, now);
  if (typeof value === 'object') return judgeList(value, now, before);
  const text = String(value);
  return judgeRange(text, now) ?? judgeMoment(text, now) ?? judgeChoice(text, now) ?? judgeText(text, now, before);
}

const verdict = (isSame: boolean): Judgement => (isSame ? 'confirmed' : 'different');
const isToggle = ({ role }: { role: string }) => ['checkbox', 'switch', 'menuitemcheckbox'].includes(role);

function judgeToggle(value: boolean, { choices }: WidgetReading): Judgement {
  const toggle = choices.find(isToggle) ?? choices[0];
  return toggle ? verdict(toggle.isChecked === value) : 'unconfirmed';
}

function judgeList(values: readonly string[], now: WidgetReading, before?: WidgetReading): Judgement {
  const toggles = now.choices.filter(isToggle);
  const choices = toggles.length > 0 ? toggles : now.choices.filter(({ role }) => role === 'option');
  const isListed = values.every((value) => matchPart(choices, value));
  if (choices.length > 0 && (toggles.length > 0 || isListed)) {
    const wanted = new Set(values.map((value) => matchPart(choices, value)));
    if (choices.every((choice) => choice.isChecked === wanted.has(choice))) return 'confirmed';
    if (toggles.length > 0) return 'different';
  }
  const texts = now.inputs.map(normalizeWords);
  if (values.length === texts.length && values.every((value) => texts.includes(normalizeWords(value))))
    return 'confirmed';
  const shown = normalizeWords([...now.inputs, now.text].join(' | '));
  if (values.every((value) => includesWords(shown, normalizeWords(value)))) return 'confirmed';
  const around = before && now.around !== before.around ? normalizeWords(now.around) : '';
  if (values.every((value) => includesWords(around, normalizeWords(value)))) return 'confirmed';
  return isUnchanged(now, before) ? 'unconfirmed' : 'different';
}

function judgeRange(text: string, { ranges, inputs }: WidgetReading): Judgement | undefined {
  const slider = ranges.find(({ role }) => role === 'slider');
  if (!slider || Number.isNaN(Number(text)) || text === '') return undefined;
  if (slider.now === '') return inputs.some((input) => Number(input) === Number(text)) ? 'confirmed' : 'unconfirmed';
  return verdict(Number(slider.now) === Number(text));
}

function judgeMoment(text: string, { dates, times }: WidgetReading): Judgement | undefined {
  return dates.includes(text) || times.includes(text) ? 'confirmed' : undefined;
}

function judgeChoice(text: string, { choices }: WidgetReading): Judgement | undefined {
  const radios = choices.filter(({ role }) => role === 'radio' || role === 'menuitemradio');
  const exclusive =
    radios.length > 0 ? radios : choices.filter(({ role }) => role === 'button' || role === 'tab' || role === 'option');
  const wanted = matchPart(exclusive, text);
  const chosen = exclusive.filter(({ isChecked }) => isChecked);
  if (radios.length > 0 && isFilledUpTo(exclusive, wanted)) return 'confirmed';
  if (radios.length > 0) return verdict(chosen.length === 1 && chosen[0] === wanted);
  return wanted && chosen.length === 1 && chosen[0] === wanted ? 'confirmed' : undefined;
}

/** Some ratings mark all symbols up to the chosen one. */
function isFilledUpTo(
  choices: WidgetReading['choices'],
  wanted: WidgetReading['choices'][number] | undefined,
): boolean {
  if (!wanted || new Set(choices.map(({ name }) => name)).size > 1) return false;
  return choices.every(({ isChecked }, index) => isChecked === index <= choices.indexOf(wanted));
}

function judgeText(text: string, now: WidgetReading, before?: WidgetReading): Judgement {
  if (now.isSecret) return verdict(now.inputs.includes(text));
  if (now.inputs.some((input) => isValueKept(text, input))) return 'confirmed';
  const wanted = normalizeWords(text);
  const own = normalizeWords(now.text);
  if (own === wanted || (includesWords(own, wanted) && wanted !== '' && now.text !== before?.text)) return 'confirmed';
  const isBeside = before && now.around !== before.around && now.around !== '';
  if (isBeside && includesWords(normalizeWords(now.around), wanted)) return 'confirmed';
  if (now.inputs.length === 0 && includesWords(own, wanted)) return 'confirmed';
  if (wanted === '' && now.inputs.every((input) => input === ''))
    return verdict(now.text === '' || now.inputs.length > 0);
  return isUnchanged(now, before) ? 'unconfirmed' : 'different';
}

const isUnchanged = (now: WidgetReading, before: WidgetReading | undefined): boolean =>
  before !== undefined &&
  JSON.stringify({ ...now, isPresent: true }) === JSON.stringify({ ...before, isPresent: true });

/** What a person sees in a control, for messages. */
export function describeReading({ isSecret, choices, ranges, inputs, text, around }: WidgetReading): string {
  if (isSecret) return '';
  const chosen = choices.filter(({ isChecked }) => isChecked).map(({ name, code }) => name || code);
  const texts = [...inputs, ...ranges.map((range) => range.text || range.now), text].filter(
    (each) => each.trim() !== '',
  );
  const shown = chosen.length > 0 ? chosen : texts.length > 0 ? texts : [around];
  return [...new Set(shown)].join(', ').slice(0, 300);
}
