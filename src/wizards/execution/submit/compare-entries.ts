import type { FormEntry } from '../../../platform/page/act/set-many.ts';
import type {
  compareSubmittedValue,
  SubmittedValueMatch,
  ValueMeaning,
} from '../../../platform/page/in-page/submitted-value.ts';

/** What a form would send of a field. */
export interface ExpectedEntry extends FormEntry {
  field_id: string;
  label: string;
  /** How a script of the page called it when the form was discovered. */
  alias?: string | undefined;
  /** What was typed, where the field shows it otherwise. */
  asked?: string | undefined;
  meaning?: ValueMeaning;
  /** Nobody has said anything about it: it stays as it is, and need not be sent. */
  isUnanswered?: boolean;
}

/** What a page held that was passed before. */
export interface EarlierPage {
  entries: readonly ExpectedEntry[];
  /** All of it has already been sent as it was given. */
  isSent: boolean;
}

/** What is known of a request. */
interface RequestKind {
  /** A form that the browser itself sends. */
  isForm: boolean;
  /** It only asks for something: it may be about a part of the values in another sense. */
  isReading: boolean;
  /** Everything has already been sent as it was given. */
  isAgain: boolean;
  /** It carries too little to say what it is about. */
  isLoose?: boolean;
}

interface EntryComparison {
  /** The first that would be sent with another value. */
  changed: ExpectedEntry | undefined;
  /** Whether anything could be compared, and whether all of it was there. */
  isCompared: boolean;
  isWhole: boolean;
  /** What is sent in a form that nobody can compare. */
  opaque: ExpectedEntry[];
}

/**
 * What leaves a page, beside what its fields hold. Stands alone, since its text travels to pages. Whatever has the name of a
 * field is compared.
 */
export function entryTools(how: typeof compareSubmittedValue) {
  /** What the body of a request carries, by name; nothing where that cannot be read. */
  function pairsIn(body: string): [string, unknown][] {
    if (!/^\s*[{[]/.test(body))
      return [...new URLSearchParams(body)].flatMap(([name, value]) => leavesOf(name, value, 0));
    try {
      return leavesOf('', JSON.parse(body), 0);
    } catch {
      return [];
    }
  }

  /** What an object holds, however deep, by the last name on the way to it. */
  function leavesOf(name: string, value: unknown, depth: number): [string, unknown][] {
    if (typeof value === 'string' && /^\s*[{[].*[}\]]\s*$/s.test(value) && depth < 3) {
      const inner = pairsIn(value);
      if (inner.length > 0) return inner;
    }
    if (['string', 'number', 'boolean'].includes(typeof value)) return [[name, value]];
    if (typeof value !== 'object' || value === null || depth > 5) return [];
    const inner = Object.entries(value);
    return inner.flatMap(([key, part]) => leavesOf(Array.isArray(value) ? name : key, part, depth + 1));
  }

  const plain = (value: unknown) => String(value).normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  /** What a yes or no may be sent as. */
  function isYes(value: unknown): boolean | undefined {
    if (/^(?:yes|true|on|y|1|checked)$/.test(plain(value))) return true;
    return /^(?:no|false|off|n|0|)$/.test(plain(value)) ? false : undefined;
  }

  /** What those who count visitors call their own things too. */
  const isCommon = (name: string) =>
    /^(?:name|type|id|value|title|label|event|action|category|status|state|date|time|key|code|page|step|url|source|lang|language|message|data|text|user|method|query|q|version)$/i.test(
      name,
    );

  function ofChoice(
    { value, own = [], others = [], checked }: ExpectedEntry,
    now: unknown,
    isForm: boolean,
  ): SubmittedValueMatch {
    if (now === value || own.map(plain).includes(plain(now))) return 'same';
    if (others.map(plain).includes(plain(now))) return 'other';
    const said = isYes(now);
    const isSwitch = checked === true && others.length === 0;
    const meant = isSwitch ? true : own.map(isYes).find((each) => each !== undefined);
    const isPair = isSwitch || others.map(isYes).includes(meant === undefined ? meant : !meant);
    if (said !== undefined && meant !== undefined && isPair) return said === meant ? 'same' : 'other';
    // A script has its own words for a choice; a browser has not, unless it cannot write them.
    return isForm && !/[^ -~]/.test(value) ? 'other' : 'unknown';
  }

  /** A box that is off is not sent, or is sent as that; one of several buttons may stand for no. */
  function ofOff(
    sending: ExpectedEntry,
    values: readonly unknown[],
    expected: readonly ExpectedEntry[],
  ): SubmittedValueMatch {
    const isShared = expected.some((other) => other !== sending && other.name === sending.name);
    const isOneOf = (sending.others ?? []).length > 0;
    const isOn = (now: unknown) => plain(now) === plain(sending.value) || (!isShared && isYes(now) === true);
    return values.some((now) => (isOneOf || isYes(now) !== false) && isOn(now)) ? 'other' : 'same';
  }

  function ofText({ value, asked, meaning = {} }: ExpectedEntry, now: unknown): SubmittedValueMatch {
    const verdict = how(value, String(now), meaning);
    return verdict !== 'same' && asked !== undefined && how(asked, String(now), meaning) === 'same' ? 'same' : verdict;
  }

  /** The best of all values that have its name: a form often has a hidden one beside that of the field. */
  function verdictOf(
    sending: ExpectedEntry,
    values: readonly unknown[],
    expected: readonly ExpectedEntry[],
    { isForm, isStrict, isAgain }: { isForm: boolean; isStrict: boolean; isAgain: boolean },
  ): SubmittedValueMatch {
    if (sending.checked === false) return ofOff(sending, values, expected);
    const verdicts = values.map((now): SubmittedValueMatch => {
      // What is empty has been emptied when all of it was sent, or is not filled in yet.
      if (now === '' && sending.value !== '' && (isAgain || !isStrict)) return 'unknown';
      if (typeof now === 'boolean' && sending.isText) return 'unknown';
      const verdict = sending.isText ? ofText(sending, now) : ofChoice(sending, now, isForm);
      if (verdict === 'other' && !isStrict && sending.meaning?.isProposal) return 'unknown';
      return verdict === 'unlike' ? (isStrict ? 'other' : 'unknown') : verdict;
    });
    return (['same', 'unknown', 'opaque'] as const).find((each) => verdicts.includes(each)) ?? 'other';
  }

  /** Undefined where it is not about the fields. */
  function compare(
    pairs: Iterable<readonly [string, unknown]>,
    expected: readonly ExpectedEntry[],
    { isForm, isReading, isAgain, isLoose = false }: RequestKind,
    beside: readonly ExpectedEntry[] = [],
  ): EntryComparison | undefined {
    const sent = new Map<string, unknown[]>();
    for (const [name, value] of pairs) sent.set(name, [...(sent.get(name) ?? []), value]);
    const valuesFor = ({ name, alias }: ExpectedEntry) =>
      sent.get(name) ?? (alias === undefined ? undefined : sent.get(alias));
    const on = expected.filter(({ checked, isUnanswered }) => checked !== false && !isUnanswered);
    // Where a script is known to have names of its own, those of the elements need not be among them.
    const isOwn = !isForm && on.some(({ alias }) => alias !== undefined);
    const needed = isOwn ? on.filter(({ isText }) => isText) : on;
    const isWhole = !isLoose && needed.length > 0 && needed.every((sending) => valuesFor(sending) !== undefined);
    const known = expected.filter((sending) => valuesFor(sending) !== undefined);
    if (known.length === 0 || (isReading && !isWhole)) return undefined;
    if (!isWhole && !isForm && known.every(({ name }) => isCommon(name))) return undefined;
    const isStrict = isWhole || isForm;
    const judged = known.map((sending) => ({
      sending,
      verdict: verdictOf(sending, valuesFor(sending) ?? [], expected, { isForm, isStrict, isAgain }),
    }));
    // A name that only the script has may belong to something else by now; what it stood for is there all the same.
    const isElsewhere = (sending: ExpectedEntry) =>
      sending.alias !== undefined && [...sent.values()].flat().some((now) => ofText(sending, now) === 'same');
    // What another field holds is sent under this name, where it has no name of its own.
    const isAnothers = (sending: ExpectedEntry) =>
      beside.some(
        (other) =>
          valuesFor(other) === undefined &&
          (valuesFor(sending) ?? []).some((now) => plain(now) === plain(other.value) || ofText(other, now) === 'same'),
      );
    const isChanged = ({ sending, verdict }: (typeof judged)[number]) =>
      verdict === 'other' && !isElsewhere(sending) && !isAnothers(sending);
    return {
      changed: judged.find(isChanged)?.sending,
      isCompared: judged.some(
        ({ sending, verdict }) => verdict === 'same' && sending.checked !== false && !sending.isUnanswered,
      ),
      isWhole,
      opaque: judged.filter(({ verdict }) => verdict === 'opaque').map(({ sending }) => sending),
    };
  }

  /**
   * What a page before this one held and a later request carries along with another value. A name that this page has too is its
   * own by now; and words that the site has already been given as they were it may have put into other ones.
   */
  function changedSince(
    pairs: Iterable<readonly [string, unknown]>,
    earlier: readonly EarlierPage[],
    expected: readonly ExpectedEntry[],
    isReading: boolean,
  ): ExpectedEntry | undefined {
    const all = [...pairs];
    const sent = new Set(all.map(([name]) => name));
    const namesOf = ({ name, alias = name }: ExpectedEntry) => [name, alias];
    const own = new Set(expected.flatMap(namesOf));
    const isOwnToo = [...own].some((name) => sent.has(name));
    // What is only asked for may be about a part of it in another sense.
    if (isReading && !isOwnToo) return undefined;
    const before = earlier.flatMap(({ entries }) => entries.map(({ name }) => name));
    const isLoose = [...new Set([...own, ...before])].filter((name) => sent.has(name)).length < 2;
    for (const { entries, isSent } of earlier) {
      const isSure = ({ isText, value }: ExpectedEntry) => !isSent || !isText || !/\p{L}/u.test(value);
      const left = entries.filter((one) => isSure(one) && !namesOf(one).some((name) => own.has(name)));
      const compared = compare(all, left, { isForm: false, isReading, isAgain: isSent, isLoose }, expected);
      if (compared?.changed) return compared.changed;
    }
    return undefined;
  }

  return { pairsIn, compare, changedSince };
}

export type EntryTools = ReturnType<typeof entryTools>;
