import { momentLimits } from './moment-values.ts';
import { momentKinds } from './moments.ts';
import { lastStep, numberScale } from './numbers.ts';
import { violationOf } from './pattern.ts';
import { formsOf } from './unique.ts';
import { type FieldFacts, isChoice, isText, proposes, realOptions, validValue, valueOfLength } from './values.ts';

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
export function trialsOf(control: FieldFacts, seen?: Date): Trial[] {
  return [
    ...emptiness(control),
    ...lengths(control),
    ...ranges(control, seen),
    ...types(control),
    ...fileTypes(control),
    ...patterns(control),
  ];
}

/** The same without what takes a look at lengths and patterns: empty where it must not be, and of the wrong type. */
export function plainTrialsOf(control: FieldFacts): Trial[] {
  return [...emptiness(control), ...types(control)];
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
  if (!isText(control) || minLength > (maxLength ?? minLength)) return [];
  return [
    ...(minLength > 1 ? atLeast(control, minLength) : []),
    ...(maxLength !== undefined && maxLength > 0 && maxLength <= LONGEST ? atMost(control, maxLength) : []),
  ];
}

const LONGEST = 10_000;

/** Of a pattern or an address there may be none that is so short: then there is no such trial. */
function atLeast(control: FieldFacts, least: number): Trial[] {
  const shortest = valueOfLength(control, least);
  const below = valueOfLength(control, least - 1);
  const trials: Trial[] = [];
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

function atMost(control: FieldFacts, most: number): Trial[] {
  const longest = valueOfLength(control, most);
  if (longest === undefined) return [];
  return [
    { id: 'max-length', title: `exactly ${most} characters`, value: longest, expected: 'accepted' },
    {
      id: 'above-max-length',
      title: `${most + 1} characters where ${most} are the most`,
      value: `${longest}y`,
      expected: 'cut',
      held: longest,
    },
  ];
}

function ranges(control: FieldFacts, seen: Date | undefined): Trial[] {
  if (control.kind === 'number') return numberRanges(control);
  return momentKinds.includes(control.kind) ? momentRanges(control, seen) : [];
}

function momentRanges(control: FieldFacts, seen: Date | undefined): Trial[] {
  const { min, belowMin, max, aboveMax, offStep } = momentLimits(control, seen);
  const trials: Trial[] = [];
  if (min) trials.push({ id: 'min', title: `the earliest, ${min}`, value: min, expected: 'accepted' });
  if (belowMin) {
    const { value, limit } = belowMin;
    trials.push(beyond('below-min', limit ? `${value}, before ${limit}` : 'years too early', value, 'rangeUnderflow'));
  }
  if (max) trials.push({ id: 'max', title: `the latest, ${max}`, value: max, expected: 'accepted' });
  if (aboveMax) {
    const { value, limit } = aboveMax;
    trials.push(beyond('above-max', limit ? `${value}, after ${limit}` : 'years too late', value, 'rangeOverflow'));
  }
  if (offStep) trials.push(beyond('off-step', `${offStep}, between two steps`, offStep, 'stepMismatch'));
  return trials;
}

function beyond(id: string, title: string, value: string, flag: ValidityFlag): Trial {
  return { id, title, value, expected: 'rejected', flag };
}

function numberRanges(control: FieldFacts): Trial[] {
  const scale = numberScale(control);
  const { low, high, base, size, text } = scale;
  // Where nothing lies between them, what is refused is refused for more than one reason.
  if (low !== undefined && high !== undefined && low > high) return [];
  const trials: Trial[] = [];
  if (low !== undefined) {
    trials.push({ id: 'min', title: `the least, ${text(low)}`, value: text(low), expected: 'accepted' });
    const value = text(low - size);
    trials.push(beyond('below-min', `${value}, below ${text(low)}`, value, 'rangeUnderflow'));
  }
  if (high !== undefined) {
    const last = control.step === 'any' ? high : lastStep(scale, high);
    trials.push({ id: 'max', title: `the most, ${text(last)}`, value: text(last), expected: 'accepted' });
    const value = text(last + size);
    trials.push(beyond('above-max', `${value}, above ${text(high)}`, value, 'rangeOverflow'));
  }
  if (control.step !== 'any') {
    const between = base + size + size / 2n;
    if (high === undefined || between <= high)
      trials.push(
        beyond('off-step', `${text(between)}, between two steps of ${text(size)}`, text(between), 'stepMismatch'),
      );
  }
  return trials;
}

function types(control: FieldFacts): Trial[] {
  const { kind, key, label, autocomplete = '' } = control;
  const wrong: Pick<Trial, 'id' | 'expected'> = { id: 'wrong-type', expected: 'rejected' };
  const noEmail = { title: 'not an email address', value: onlyOfWrongType('ada.example.com', control) };
  if (kind === 'email') return [{ ...wrong, ...noEmail, flag: 'typeMismatch' }];
  // The page does not declare it, but asks for it: what comes of it is observed.
  if (kind === 'text' && /e-?mail/i.test(`${key} ${label} ${autocomplete}`))
    return [{ ...wrong, ...noEmail, expected: 'observed' }];
  if (kind === 'url')
    return [{ ...wrong, title: 'not an address', value: onlyOfWrongType('example', control), flag: 'typeMismatch' }];
  if (kind === 'number') return [{ ...wrong, title: 'not a number', value: '--1', typed: true, flag: 'badInput' }];
  return [];
}

/** Refused for its type, and not for its length. */
function onlyOfWrongType(text: string, { minLength = 0, maxLength }: FieldFacts): string {
  return text.padEnd(Math.min(minLength, LONGEST), 'x').slice(0, maxLength);
}

/** The page asks for certain files only when somebody chooses one; what the server does with others is observed. */
function fileTypes({ kind, accept = '' }: FieldFacts): Trial[] {
  const isAnything = accept.trim() === '' || /\*\/\*|octet-stream|\.bin\b/.test(accept);
  if (kind !== 'file' || isAnything) return [];
  return [
    { id: 'wrong-type', title: 'of a type that is not asked for', value: 'assay-test.bin', expected: 'observed' },
  ];
}

function patterns(control: FieldFacts): Trial[] {
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = control;
  if (!pattern || !isText(control)) return [];
  const [accepted] = formsOf(validValue(control) ?? '');
  const value = accepted && violationOf(pattern, accepted, { least: minLength, most: maxLength });
  return value ? [beyond('pattern', 'against its pattern', value, 'patternMismatch')] : [];
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
