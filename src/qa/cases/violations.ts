import { violationOf } from './pattern.ts';
import {
  type FieldFacts,
  finite,
  isChoice,
  isText,
  longer,
  plain,
  proposes,
  realOptions,
  UNIQUE,
  validValue,
} from './values.ts';

/** The flag that the browser raises on a field it refuses. */
type ValidityFlag =
  | 'valueMissing'
  | 'tooShort'
  | 'typeMismatch'
  | 'patternMismatch'
  | 'rangeUnderflow'
  | 'rangeOverflow'
  | 'stepMismatch'
  | 'badInput';

/** One value worth trying in a field, and what its own constraints say about it. */
export interface Trial {
  /** Part of the stable key of a case. */
  id: string;
  title: string;
  value: string;
  /** Typed key by key: the browser would not let it be set. */
  typed?: boolean;
  expected: 'accepted' | 'rejected' | 'cut' | 'observed';
  flag?: ValidityFlag;
  /** For `cut`: what the field holds afterwards. */
  held?: string;
}

/** Each field left empty, at and beyond each of its limits, of the wrong type, against its pattern. */
export function trialsOf(control: FieldFacts): Trial[] {
  return [...emptiness(control), ...lengths(control), ...ranges(control), ...types(control), ...patterns(control)];
}

function emptiness(control: FieldFacts): Trial[] {
  if (!control.required) return [];
  const trials: Trial[] = [{ id: 'empty', title: 'left empty', value: '', expected: 'rejected', flag: 'valueMissing' }];
  if (
    isText(control) &&
    !control.pattern &&
    control.kind !== 'password' &&
    control.kind !== 'email' &&
    control.kind !== 'url'
  )
    // As many as must be there: fewer would be refused for their number.
    trials.push({
      id: 'blank',
      title: 'only spaces',
      value: ' '.repeat(Math.max(3, control.minLength ?? 0)),
      expected: 'observed',
    });
  return trials;
}

function lengths(control: FieldFacts): Trial[] {
  const { minLength = 0, maxLength } = control;
  const base = validValue(control)?.replaceAll(UNIQUE, 'a1b2c3d4');
  // A pattern usually has its own say about length; what it would refuse is no boundary of the length.
  if (!isText(control) || base === undefined || control.pattern) return [];
  const trials: Trial[] = [];
  if (minLength > 1) {
    trials.push({
      id: 'min-length',
      title: `exactly ${minLength} characters`,
      value: shorter(base, minLength),
      expected: 'accepted',
    });
    trials.push({
      id: 'below-min-length',
      title: `${minLength - 1} characters where ${minLength} are the least`,
      value: shorter(base, minLength - 1),
      expected: 'rejected',
      flag: 'tooShort',
    });
  }
  if (maxLength !== undefined && maxLength > 0 && maxLength <= 10_000) {
    const longest = longer(base, maxLength);
    trials.push({ id: 'max-length', title: `exactly ${maxLength} characters`, value: longest, expected: 'accepted' });
    if (!longest.includes('@'))
      trials.push({
        id: 'above-max-length',
        title: `${maxLength + 1} characters where ${maxLength} are the most`,
        value: `${longest}y`,
        expected: 'cut',
        held: longest,
      });
  }
  return trials;
}

function shorter(text: string, length: number): string {
  return longer(text.slice(0, length), length);
}

function ranges(control: FieldFacts): Trial[] {
  if (control.kind === 'number') return numberRanges(control);
  if (control.kind !== 'date') return [];
  const trials: Trial[] = [];
  const { min, max } = control;
  if (min) {
    trials.push({ id: 'min', title: `the earliest, ${min}`, value: min, expected: 'accepted' });
    trials.push({
      id: 'below-min',
      title: `a day before ${min}`,
      value: day(min, -1),
      expected: 'rejected',
      flag: 'rangeUnderflow',
    });
  }
  if (max) {
    trials.push({ id: 'max', title: `the latest, ${max}`, value: max, expected: 'accepted' });
    trials.push({
      id: 'above-max',
      title: `a day after ${max}`,
      value: day(max, 1),
      expected: 'rejected',
      flag: 'rangeOverflow',
    });
  }
  return trials;
}

function numberRanges({ min, max, step }: FieldFacts): Trial[] {
  const [low, high] = [finite(min), finite(max)];
  const size = finite(step) ?? 1;
  const trials: Trial[] = [];
  if (low !== undefined) {
    trials.push({ id: 'min', title: `the least, ${low}`, value: plain(low), expected: 'accepted' });
    const value = plain(low - size);
    trials.push({
      id: 'below-min',
      title: `${value}, below ${low}`,
      value,
      expected: 'rejected',
      flag: 'rangeUnderflow',
    });
  }
  if (high !== undefined) {
    const last = plain((low ?? 0) + Math.floor((high - (low ?? 0)) / size) * size);
    trials.push({ id: 'max', title: `the most, ${last}`, value: last, expected: 'accepted' });
    const value = plain(Number(last) + size);
    trials.push({
      id: 'above-max',
      title: `${value}, above ${high}`,
      value,
      expected: 'rejected',
      flag: 'rangeOverflow',
    });
  }
  if (step !== 'any') {
    const value = plain((low ?? 0) + size * 1.5);
    if (high === undefined || Number(value) <= high)
      trials.push({
        id: 'off-step',
        title: `${value}, between two steps of ${size}`,
        value,
        expected: 'rejected',
        flag: 'stepMismatch',
      });
  }
  return trials;
}

function types({ kind, key, label, autocomplete = '' }: FieldFacts): Trial[] {
  const wrong: Pick<Trial, 'id' | 'expected'> = { id: 'wrong-type', expected: 'rejected' };
  if (kind === 'email')
    return [{ ...wrong, title: 'not an email address', value: 'ada.example.com', flag: 'typeMismatch' }];
  // The page does not declare it, but asks for it: what comes of it is observed.
  if (kind === 'text' && /e-?mail/i.test(`${key} ${label} ${autocomplete}`))
    return [{ ...wrong, expected: 'observed', title: 'not an email address', value: 'ada.example.com' }];
  if (kind === 'url') return [{ ...wrong, title: 'not an address', value: 'example', flag: 'typeMismatch' }];
  if (kind === 'number') return [{ ...wrong, title: 'not a number', value: '--1', typed: true, flag: 'badInput' }];
  return [];
}

function patterns(control: FieldFacts): Trial[] {
  const { pattern } = control;
  if (!pattern || !isText(control)) return [];
  const accepted = validValue(control);
  const value = accepted && violationOf(pattern, accepted);
  if (!value) return [];
  const isRefusedByLength = value.length < (control.minLength ?? 0) || value.length > (control.maxLength ?? 1e9);
  if (isRefusedByLength) return [];
  return [{ id: 'pattern', title: 'against its pattern', value, expected: 'rejected', flag: 'patternMismatch' }];
}

function day(from: string, days: number): string {
  const at = new Date(`${from}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return Number.isNaN(at.getTime()) ? from : at.toISOString().slice(0, 10);
}

/** Values of a choice worth combining; long lists are represented by their ends and middle. */
export function valuesToCombine(control: FieldFacts): string[] {
  if (['checkbox', 'switch'].includes(control.kind)) return ['true', 'false'];
  if (!isChoice(control) && !proposes(control)) return [];
  const options = realOptions(control).map(({ label, value }) => (proposes(control) ? value : label));
  if (options.length <= 4) return [...options];
  const picks = [0, 1, Math.floor(options.length / 2), options.length - 1];
  return picks.flatMap((i) => options[i] ?? []);
}
