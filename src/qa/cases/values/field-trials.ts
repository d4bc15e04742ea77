import { dateTimeKinds } from './date-time-counts.ts';
import { dateTimeLimits } from './date-time-values.ts';
import {
  type FieldConstraints,
  hasSuggestions,
  isChoiceField,
  isTextField,
  realOptions,
  validValue,
  valueOfLength,
} from './field-values.ts';
import { lastStep, numberScale } from './number-scale.ts';
import { violatePattern } from './pattern-values.ts';
import { tokenExpansions } from './unique-token.ts';

/** Flag of `ValidityState` that rejects a value. */
type ValidityFlag =
  | 'valueMissing'
  | 'tooShort'
  | 'typeMismatch'
  | 'patternMismatch'
  | 'rangeUnderflow'
  | 'rangeOverflow'
  | 'stepMismatch'
  | 'badInput';

/** One value to try in a field, with the outcome that its constraints imply. */
export interface FieldTrial {
  /** Part of the stable key of the case. */
  id: string;
  title: string;
  value: string;
  /** Typed key by key, because the browser does not allow to set it. */
  typed?: boolean;
  expected: 'accepted' | 'rejected' | 'cut' | 'observed';
  flag?: ValidityFlag;
  /** For `cut`: value that the field holds afterwards. */
  acceptedValue?: string;
}

/** Trials of a field: empty, boundary values (at and beyond each limit), of the wrong type, against its pattern. */
export function trialsForField(control: FieldConstraints, seen?: Date): FieldTrial[] {
  return [
    ...emptyTrials(control),
    ...lengthTrials(control),
    ...rangeTrials(control, seen),
    ...typeTrials(control),
    ...fileTypeTrials(control),
    ...patternTrials(control),
  ];
}

/** Trials that need neither lengths nor patterns: empty, and of the wrong type. */
export function basicTrialsForField(control: FieldConstraints): FieldTrial[] {
  return [...emptyTrials(control), ...typeTrials(control)];
}

function emptyTrials(control: FieldConstraints): FieldTrial[] {
  if (!control.required) return [];
  const trials: FieldTrial[] = [
    { id: 'empty', title: 'left empty', value: '', expected: 'rejected', flag: 'valueMissing' },
  ];
  if (
    isTextField(control) &&
    !control.pattern &&
    control.kind !== 'password' &&
    control.kind !== 'email' &&
    control.kind !== 'url'
  )
    // Spaces up to the minimum length, so that the length is no reason to reject it.
    trials.push({
      id: 'blank',
      title: 'only spaces',
      value: ' '.repeat(Math.max(3, control.minLength ?? 0)),
      expected: 'observed',
    });
  return trials;
}

function lengthTrials(control: FieldConstraints): FieldTrial[] {
  const { minLength = 0, maxLength } = control;
  if (!isTextField(control) || minLength > (maxLength ?? minLength)) return [];
  return [
    ...(minLength > 1 ? minLengthTrials(control, minLength) : []),
    ...(maxLength !== undefined && maxLength > 0 && maxLength <= LONGEST ? maxLengthTrials(control, maxLength) : []),
  ];
}

const LONGEST = 10_000;

/** A pattern or an email address may have no value of this length: then there is no trial. */
function minLengthTrials(control: FieldConstraints, least: number): FieldTrial[] {
  const shortest = valueOfLength(control, least);
  const below = valueOfLength(control, least - 1);
  const trials: FieldTrial[] = [];
  if (shortest !== undefined)
    trials.push({ id: 'min-length', title: `exactly ${least} characters`, value: shortest, expected: 'accepted' });
  if (below !== undefined)
    trials.push({
      id: 'below-min-length',
      title: `${least - 1} characters where ${least} are the least`,
      value: below,
      expected: 'rejected',
      flag: 'tooShort',
    });
  return trials;
}

function maxLengthTrials(control: FieldConstraints, most: number): FieldTrial[] {
  const longest = valueOfLength(control, most);
  if (longest === undefined) return [];
  return [
    { id: 'max-length', title: `exactly ${most} characters`, value: longest, expected: 'accepted' },
    {
      id: 'above-max-length',
      title: `${most + 1} characters where ${most} are the most`,
      value: `${longest}y`,
      expected: 'cut',
      acceptedValue: longest,
    },
  ];
}

function rangeTrials(control: FieldConstraints, seen: Date | undefined): FieldTrial[] {
  if (control.kind === 'number') return numberTrials(control);
  return dateTimeKinds.includes(control.kind) ? dateTimeTrials(control, seen) : [];
}

function dateTimeTrials(control: FieldConstraints, seen: Date | undefined): FieldTrial[] {
  const { min, belowMin, max, aboveMax, offStep } = dateTimeLimits(control, seen);
  const trials: FieldTrial[] = [];
  if (min) trials.push({ id: 'min', title: `the earliest, ${min}`, value: min, expected: 'accepted' });
  if (belowMin) {
    const { value, limit } = belowMin;
    trials.push(
      rejectedTrial('below-min', limit ? `${value}, before ${limit}` : 'years too early', value, 'rangeUnderflow'),
    );
  }
  if (max) trials.push({ id: 'max', title: `the latest, ${max}`, value: max, expected: 'accepted' });
  if (aboveMax) {
    const { value, limit } = aboveMax;
    trials.push(
      rejectedTrial('above-max', limit ? `${value}, after ${limit}` : 'years too late', value, 'rangeOverflow'),
    );
  }
  if (offStep) trials.push(rejectedTrial('off-step', `${offStep}, between two steps`, offStep, 'stepMismatch'));
  return trials;
}

function rejectedTrial(id: string, title: string, value: string, flag: ValidityFlag): FieldTrial {
  return { id, title, value, expected: 'rejected', flag };
}

function numberTrials(control: FieldConstraints): FieldTrial[] {
  const scale = numberScale(control);
  const { low, high, base, size, text } = scale;
  // With minimum above maximum, a rejection would have two reasons.
  if (low !== undefined && high !== undefined && low > high) return [];
  const trials: FieldTrial[] = [];
  if (low !== undefined) {
    trials.push({ id: 'min', title: `the least, ${text(low)}`, value: text(low), expected: 'accepted' });
    const value = text(low - size);
    trials.push(rejectedTrial('below-min', `${value}, below ${text(low)}`, value, 'rangeUnderflow'));
  }
  if (high !== undefined) {
    const last = control.step === 'any' ? high : lastStep(scale, high);
    trials.push({ id: 'max', title: `the most, ${text(last)}`, value: text(last), expected: 'accepted' });
    const value = text(last + size);
    trials.push(rejectedTrial('above-max', `${value}, above ${text(high)}`, value, 'rangeOverflow'));
  }
  if (control.step !== 'any') {
    const between = base + size + size / 2n;
    if (high === undefined || between <= high)
      trials.push(
        rejectedTrial(
          'off-step',
          `${text(between)}, between two steps of ${text(size)}`,
          text(between),
          'stepMismatch',
        ),
      );
  }
  return trials;
}

function typeTrials(control: FieldConstraints): FieldTrial[] {
  const { kind, key, label, autocomplete = '' } = control;
  const wrong: Pick<FieldTrial, 'id' | 'expected'> = { id: 'wrong-type', expected: 'rejected' };
  const noEmail = { title: 'not an email address', value: fitTypeViolation('ada.example.com', control) };
  if (kind === 'email') return [{ ...wrong, ...noEmail, flag: 'typeMismatch' }];
  // The label asks for an email address but the type does not, so the outcome is observed.
  if (kind === 'text' && /e-?mail/i.test(`${key} ${label} ${autocomplete}`))
    return [{ ...wrong, ...noEmail, expected: 'observed' }];
  if (kind === 'url')
    return [{ ...wrong, title: 'not an address', value: fitTypeViolation('example', control), flag: 'typeMismatch' }];
  if (kind === 'number') return [{ ...wrong, title: 'not a number', value: '--1', typed: true, flag: 'badInput' }];
  return [];
}

/** Pads or cuts a text so that only its type is wrong. */
function fitTypeViolation(text: string, { minLength = 0, maxLength }: FieldConstraints): string {
  return text.padEnd(Math.min(minLength, LONGEST), 'x').slice(0, maxLength);
}

/** `accept` restricts only the file dialog, so the outcome is observed. */
function fileTypeTrials({ kind, accept = '' }: FieldConstraints): FieldTrial[] {
  const isAnything = accept.trim() === '' || /\*\/\*|octet-stream|\.bin\b/.test(accept);
  if (kind !== 'file' || isAnything) return [];
  return [
    { id: 'wrong-type', title: 'of a type that is not asked for', value: 'assay-test.bin', expected: 'observed' },
  ];
}

function patternTrials(control: FieldConstraints): FieldTrial[] {
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = control;
  if (!pattern || !isTextField(control)) return [];
  const [accepted] = tokenExpansions(validValue(control) ?? '');
  const value = accepted && violatePattern(pattern, accepted, { least: minLength, most: maxLength });
  return value ? [rejectedTrial('pattern', 'against its pattern', value, 'patternMismatch')] : [];
}

/** Values of a choice to combine; long lists are represented by their ends and middle. */
export function valuesToCombine(control: FieldConstraints): string[] {
  if (['checkbox', 'switch'].includes(control.kind)) return ['true', 'false'];
  if (!isChoiceField(control) && !hasSuggestions(control)) return [];
  const options = realOptions(control).map(({ label, value }) => (hasSuggestions(control) ? value : label));
  if (options.length <= 4) return [...options];
  const picks = [0, 1, Math.floor(options.length / 2), options.length - 1];
  return picks.flatMap((i) => options[i] ?? []);
}
