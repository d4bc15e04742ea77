import type { Control } from '../../../platform/page/page-model.ts';
import { isStateLabel } from '../../files/field-traits.ts';
import { exampleState, examplesByLabel } from '../../vocabulary/example-values.ts';
import { asksPersonalData } from '../read-page/typed-secrets.ts';

/** A value that a field of this kind accepts, whatever its label. */
const examplesByKind: Partial<Record<Control['kind'], string>> = {
  date: '2007-05-15',
  'date-parts': '2007-05-15',
  time: '09:30',
  datetime: '2030-05-15T09:30',
  month: '2030-05',
  week: '2030-W20',
  url: 'https://example.org/',
  colour: '#336699',
  email: 'person@example.org',
  tel: '555-0100',
};

/** A value that a form is likely to accept, when the agent gave none. Empty if no guess is possible. */
export function proposeExample(control: Control, label: string): string {
  const { kind, constraints, placeholder, options, value } = control;
  if (value && !asksPersonalData(control, label)) return value;
  const plain = examplesByKind[kind];
  if (plain !== undefined) return clampText(plain, constraints.min, constraints.max);
  if (kind === 'typeahead')
    return options.find((option) => option.label)?.label ?? (isStateLabel(label) ? exampleState : '');
  const called = `${label} ${placeholder}`;
  const named = [label, placeholder].some(isStateLabel)
    ? exampleState
    : examplesByLabel.find(([, pattern]) => pattern.test(called))?.[2];
  if (kind === 'number' || kind === 'range') return clampNumber(named, constraints.min, constraints.max);
  const isDigits =
    /^(numeric|decimal)$/.test(constraints.inputMode ?? '') || /^\^?\[?(\\d|0-9)/.test(constraints.pattern ?? '');
  const example = named ?? (isDigits ? '1' : 'Example');
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = constraints;
  return example.padEnd(minLength, example).slice(0, maxLength);
}

/** ISO dates, months and times sort as texts. */
function clampText(example: string, min: string | undefined, max: string | undefined): string {
  if (min && example < min) return min;
  return max && example > max ? max : example;
}

function clampNumber(named: string | undefined, min: string | undefined, max: string | undefined): string {
  const number = Number(named);
  const fits =
    named !== undefined &&
    Number.isFinite(number) &&
    !(number < Number(min ?? -Infinity)) &&
    !(number > Number(max ?? Infinity));
  return fits ? named : (min ?? max ?? '1');
}
