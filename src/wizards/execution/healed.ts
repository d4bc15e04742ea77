import { quote } from '../../platform/errors.ts';
import { isJsonObject, type Json } from '../../platform/json.ts';
import { conditionsOf } from '../files/fields.ts';
import { PRIVATE } from '../files/private.ts';
import type { Run } from './run.ts';

/** One step of a JSON Patch (RFC 6902). */
export interface Edit {
  op: 'test' | 'replace' | 'add';
  /** A JSON Pointer into the wizard file. */
  path: string;
  value: Json;
}

/** Something was found by another way than the file's first. Told, and proposed as an edit; never kept in silence. */
export interface Healed {
  field_id: string;
  page: number;
  /** The way that leads there no more, and the one that does. */
  from: string;
  to: string;
  rung: number;
  proposal: string;
  /** The proposal as a JSON Patch of the wizard file: what is there now is tested first. */
  edit: Edit[];
}

/** From the top of the file to whatever has the `selector`. */
export type Place = readonly (string | number)[];

export interface Healing {
  name: string;
  place: Place;
  /** The key that has the way; `selector` where it is not said. */
  key?: string;
  from: string;
  to: string;
  rung: number;
  /** Which of several choices it was says what somebody chose, and that is private. */
  isTelling?: boolean;
}

/** Tells a healing once. */
export function addHealed(run: Run, { name, place, key = 'selector', from, to, rung, isTelling }: Healing): void {
  if (run.healed.some((one) => one.field_id === name && one.from === from && one.to === to)) return;
  const file = `${run.stored.wizard.wizard_id}.json`;
  const edit = key === 'value' ? valueEditOf(run, place, from, to) : editOf(run, place, key, from, to);
  const instead = from ? `in the place of ${quote(from)}` : 'as the way to it, which the file does not know';
  const what = key === 'value' ? ' as the value of the option of that name,' : '';
  const proposal = `In ${file}, page ${run.at}, ${name}: put ${quote(to)}${what} ${instead}.`;
  const healed = { field_id: name, page: run.at, from, to, rung, proposal, edit };
  run.healed.push(healed);
  if (isTelling) run.telling.add(healed);
}

/** For an error, which may be logged: without what says which private choice was made. */
export function healedInError({ healed, telling }: Run): Healed[] {
  return healed.map((one) =>
    telling.has(one)
      ? {
          ...one,
          from: PRIVATE,
          to: PRIVATE,
          edit: [],
          proposal: `A choice of ${one.field_id} is found by another way.`,
        }
      : one,
  );
}

function editOf({ stored }: Run, place: Place, key: string, from: string, to: string): Edit[] {
  const written: Json = JSON.parse(JSON.stringify(stored.written ?? stored.wizard));
  const there = at(written, place);
  if (there === undefined) return addedTo(JSON.parse(JSON.stringify(stored.wizard)), written, place, key, to);
  if (!isJsonObject(there)) return [];
  const path = pointer([...place, key]);
  const type = there['selector_type'];
  const plain: Edit[] =
    key === 'selector' && (type === 'id' || type === 'text')
      ? [{ op: 'replace', path: pointer([...place, 'selector_type']), value: 'css' }]
      : [];
  if (!(key in there)) return [{ op: 'add', path, value: to }, ...plain];
  // What was written may be said in another way, such as an id without its mark.
  const before = there[key] ?? from;
  return [{ op: 'test', path, value: before }, { op: 'replace', path, value: to }, ...plain];
}

/**
 * The value of an option is what user data says, and stands in more places: as the example of its field, which is changed with
 * it, and in the conditions of others. Where those are, somebody has to look.
 */
function valueEditOf(run: Run, place: Place, from: string, to: string): Edit[] {
  const written: Json = JSON.parse(JSON.stringify(run.stored.written ?? run.stored.wizard));
  const field = at(written, place.slice(0, -2));
  if (!isJsonObject(field)) return [];
  const fields = run.stored.wizard.pages.flatMap((page) => page.fields);
  const isNeeded = fields.some((one) => conditionsOf(one).some((condition) => condition.field === field['field_id']));
  if (isNeeded) return [];
  const isExample = field['example_value'] === from;
  const path = pointer([...place.slice(0, -2), 'example_value']);
  return [
    ...editOf(run, place, 'value', from, to),
    ...(isExample ? [{ op: 'replace' as const, path, value: to }] : []),
  ];
}

/** What was read from notes, or from a schema, is not in the file yet: the nearest thing around it is added whole. */
function addedTo(whole: Json, written: Json, place: Place, key: string, to: string): Edit[] {
  const mended = at(whole, place);
  if (!isJsonObject(mended)) return [];
  mended[key] = to;
  for (let length = place.length - 1; length > 0; length--) {
    const outer = place.slice(0, length);
    const isList = typeof place[length] === 'number';
    if (at(written, outer) !== undefined) {
      const around = place.slice(0, length + 1);
      return [{ op: 'add', path: isList ? pointer([...outer, '-']) : pointer(around), value: at(whole, around) ?? to }];
    }
  }
  return [];
}

function at(value: Json | undefined, place: Place): Json | undefined {
  let now = value;
  for (const step of place) {
    if (Array.isArray(now)) now = typeof step === 'number' ? now[step] : undefined;
    else now = isJsonObject(now) && Object.hasOwn(now, step) ? now[String(step)] : undefined;
  }
  return now;
}

const pointer = (place: Place) =>
  place.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
