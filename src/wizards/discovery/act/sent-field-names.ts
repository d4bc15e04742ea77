import type { BrowserContext } from 'playwright-core';
import { compareSubmittedValue } from '../../../platform/page/in-page/submitted-value.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Control } from '../../../platform/page/page-model.ts';
import { entryTools } from '../../execution/submit/compare-entries.ts';
import type { WizardField, WizardPage, WizardSubField } from '../../files/wizard-schema.ts';
import { entryWords } from '../../vocabulary/sent-entries.ts';

/** A text that was typed during the discovery. It is kept in memory only, and never reported. */
interface TypedValue {
  selectors: ReadonlySet<string>;
  value: string;
  /** The name attribute of its element. */
  name: string | null;
  /** The name under which a script of the page sent it. */
  sentAs: string | undefined;
}

/** The names under which a page sends typed values, where they differ from those of its elements. */
export interface SentFieldNames {
  recordTyped(control: Control, value: string): void;
  /** The page with the names that are known so far. */
  addTo(page: WizardPage): WizardPage;
}

const { pairsIn } = entryTools(compareSubmittedValue, entryWords);
const withoutPunctuation = (value: unknown) => String(value).replaceAll(/[\s,$€£]/g, '');

/** A shorter text occurs in requests for many reasons. */
const MIN_LENGTH = 3;

/**
 * Watches the requests of a page's scripts. A name belongs to a field only if it alone carries the exact text, and no other field
 * has the same text. A run can then check that it still does.
 */
export function watchSentFieldNames(context: BrowserContext): SentFieldNames {
  const all: TypedValue[] = [];
  context.on('request', (request) => {
    const body = ['fetch', 'xhr'].includes(request.resourceType()) ? request.postData() : null;
    if (body === null || all.length === 0) return;
    const pairs = pairsIn(body);
    for (const one of all) {
      const isAlone = all.every(
        (other) => other === one || withoutPunctuation(other.value) !== withoutPunctuation(one.value),
      );
      const [pair, ...others] = pairs.filter(
        ([, value]) => withoutPunctuation(value) === withoutPunctuation(one.value),
      );
      const [name = ''] = pair ?? [];
      if (isAlone && others.length === 0 && /^[^\d\s]\S{0,99}$/.test(name) && name !== one.name) one.sentAs ??= name;
    }
  });
  return {
    recordTyped({ kind, ladder, nameAttribute }, value) {
      if (kind === 'password' || withoutPunctuation(value).length < MIN_LENGTH) return;
      const ways = new Set(ladder.map(rungToSelector));
      const known = all.findIndex((one) => [...one.selectors].some((way) => ways.has(way)));
      all.splice(known < 0 ? all.length : known, 1, { selectors: ways, value, name: nameAttribute, sentAs: undefined });
    },
    addTo: (page) => ({
      ...page,
      fields: page.fields.map((field) => ({
        ...withSentName(field),
        ...(field.sub_fields && { sub_fields: field.sub_fields.map(withSentName) }),
      })),
    }),
  };

  function withSentName<Field extends WizardField | WizardSubField>(field: Field): Field {
    const own = [field.selector, ...(field.locators ?? [])];
    const sent_as = all.find(({ selectors }) => own.some((way) => selectors.has(way)))?.sentAs;
    return sent_as === undefined || field.sent_as !== undefined ? field : { ...field, sent_as };
  }
}
