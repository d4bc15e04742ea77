import { Failure } from '../../errors.ts';
import type { FoundElement } from '../locate/element-finder.ts';
import { actionFailure } from './action-failure.ts';
import { waitForElementFacts } from './element-value.ts';
import { isValueKept, normalizeWords } from './value-comparison.ts';

interface FillOptions {
  what: string;
  timeoutMs: number;
  /** Only keys will do. */
  byKeys: boolean;
}

/** Sets a text, and reads it back; key by key where the page would not have it otherwise. */
export async function fillText(setting: FillOptions, found: FoundElement, text: string): Promise<string> {
  const { what, timeoutMs, byKeys } = setting;
  const { locator } = found;
  try {
    let tried = byKeys ? undefined : text;
    while (tried !== undefined) {
      await locator.fill(tried, { timeout: timeoutMs });
      const now = await textIn(found, text);
      if (isValueKept(text, now)) return now;
      tried = tried === text ? withCents(text, now) : undefined;
    }
    // A mask that wants keys, or a form that drew itself anew.
    await locator.fill('', { timeout: timeoutMs });
    await locator.pressSequentially(text, { timeout: timeoutMs });
  } catch (error) {
    throw actionFailure(error, what);
  }
  return checkValueKept(setting, text, await textIn(found, text));
}

/** The same amount with its cents, where a field has taken its last two digits for them: 85000 is shown as 850.00. */
function withCents(text: string, shown: string): string | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const digits = (amount: string) => amount.replaceAll(/\D/g, '').replace(/^0+/, '');
  if (whole === undefined || !/\d[.,]\d\d\D*$/.test(shown) || digits(shown) !== digits(text)) return undefined;
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

async function textIn(found: FoundElement, text: string): Promise<string> {
  if (found.facts.type === 'password') return (await found.locator.inputValue()) === text ? text : '';
  return (await waitForElementFacts(found, ({ value }) => isValueKept(text, value), 300)).value;
}

/** What was read back, if it is what was asked for. */
export function checkValueKept({ what }: Pick<FillOptions, 'what'>, asked: string, got: string): string {
  if (isValueKept(asked, got) || normalizeWords(asked) === normalizeWords(got)) return got;
  throw valueNotKept(
    what,
    got === '' ? 'it is empty' : `it kept ${got.length} of ${asked.length} characters, or others`,
  );
}

/** Without the values: they may be somebody's own. */
export function valueNotKept(what: string, how: string): Failure {
  return new Failure('site_failed', 'VALUE_NOT_KEPT', `${what} did not keep the value it was given: ${how}.`);
}
