import type { FrameControl } from '../in-page/control-tools.ts';
import type { Control } from '../page-model.ts';

type DatePartName = 'year' | 'month' | 'day';

const marks: readonly (readonly [DatePartName, RegExp])[] = [
  ['year', /\b(year|yyyy|yy|bday-year|jahr|année|año)\b/i],
  ['month', /\b(month|mm|bday-month|monat|mois|mes)\b/i],
  ['day', /\b(day|dd|bday-day|tag|jour|día)\b/i],
];

interface MergedDate {
  control: Control;
  /** The controls that it was made of, by number. */
  from: number[];
}

/** Month, day and year that stand together and belong together become one date. */
export function mergeDateParts(controls: readonly Control[], read: readonly FrameControl[]): MergedDate[] {
  const placed: MergedDate[] = [];
  for (let i = 0; i < controls.length; i++) {
    const control = controls[i];
    if (!control) continue;
    const three = asDate(controls.slice(i, i + 3), read.slice(i, i + 3));
    if (three) {
      placed.push({ control: three, from: [i, i + 1, i + 2] });
      i += 2;
    } else placed.push({ control, from: [i] });
  }
  return placed;
}

function asDate(three: readonly Control[], read: readonly FrameControl[]): Control | undefined {
  const parts = three.map((control) => ({ part: partOf(control), control }));
  const known = parts.flatMap(({ part, control }) => (part ? [{ part, control }] : []));
  const [first] = three;
  if (!first || known.length !== 3 || new Set(known.map(({ part }) => part)).size !== 3) return undefined;
  const sameGroup = new Set(read.map(({ groupIndex }) => groupIndex)).size === 1 && read[0]?.groupIndex !== -1;
  const name = sameGroup && first.group ? first.group : commonName(known);
  if (name === undefined) return undefined;
  return {
    ...first,
    kind: 'date-parts',
    role: 'group',
    name,
    group: '',
    required: three.some(({ required }) => required),
    visible: three.some(({ visible }) => visible),
    disabled: three.every(({ disabled }) => disabled),
    invalid: three.some(({ invalid }) => invalid),
    error: three.map(({ error }) => error).find(Boolean) ?? '',
    value: three.every(({ value }) => value) ? isoOf(known) : '',
    options: [],
    optionCount: 0,
    ladder: [],
    parts: known,
  };
}

function partOf({ kind, name, id, nameAttribute, placeholder, constraints }: Control): DatePartName | undefined {
  if (!['text', 'number', 'tel', 'select'].includes(kind)) return undefined;
  const words = (text: string | null | undefined) => (text ?? '').replaceAll(/([a-z])([A-Z])|[_-]/g, '$1 $2');
  // What a person reads comes before what a programmer wrote.
  for (const text of [constraints.autocomplete, name, placeholder, words(nameAttribute), words(id)]) {
    const found = marks.filter(([, pattern]) => text && pattern.test(text));
    if (found.length === 1) return found[0]?.[0];
  }
  return undefined;
}

/** Without a group their names begin alike: "Date of birth - Month". Undefined where they do not, and are not bare either. */
function commonName(parts: readonly { part: DatePartName; control: Control }[]): string | undefined {
  const rests = parts.map(({ part, control }) => {
    const pattern = marks.find(([each]) => each === part)?.[1];
    return control.name
      .replace(pattern ?? '', '')
      .replaceAll(/[\s:*()–-]+/g, ' ')
      .trim();
  });
  const [first = ''] = rests;
  if (!rests.every((rest) => rest.toLowerCase() === first.toLowerCase())) return undefined;
  const ids = parts.map(({ control }) => control.id ?? control.nameAttribute ?? '');
  return first || (sharedStart(ids).length >= 3 ? 'Date' : undefined);
}

function sharedStart(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = 0;
  while (length < first.length && texts.every((text) => text[length] === first[length])) length++;
  return first.slice(0, length);
}

function isoOf(parts: readonly { part: DatePartName; control: Control }[]): string {
  const of = (part: DatePartName, digits: number) =>
    (parts.find((each) => each.part === part)?.control.value ?? '').padStart(digits, '0');
  return `${of('year', 4)}-${of('month', 2)}-${of('day', 2)}`;
}
