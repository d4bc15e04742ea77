import type { BrowserContext } from 'playwright-core';
import { compareSubmittedValue } from '../../../platform/page/in-page/submitted-value.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Control } from '../../../platform/page/page-model.ts';
import { entryTools } from '../../execution/submit/compare-entries.ts';
import type { WizardField, WizardPage, WizardSubField } from '../../files/wizard-schema.ts';

/** A text that was typed while a form was discovered; it is kept for as long as the discovery lasts, and told nobody. */
interface TypedValue {
  selectors: ReadonlySet<string>;
  value: string;
  /** The name of its element. */
  name: string | null;
  /** The name by which a script of the page has sent it. */
  sentAs: string | undefined;
}

/** By which names a page sends what is typed, where its elements have none, or others. */
export interface SentFieldNames {
  recordTyped(control: Control, value: string): void;
  /** The pages with what is known by now. */
  addTo(page: WizardPage): WizardPage;
}

const { pairsIn } = entryTools(compareSubmittedValue);
const withoutPunctuation = (value: unknown) => String(value).replaceAll(/[\s,$€£]/g, '');

/** A short text may stand in a request for many reasons. */
const MIN_LENGTH = 3;

/**
 * Listens to what the scripts of a page send. A name belongs to a field only where it alone carries its very text, and no other
 * field has the same: then a run can see whether it still does.
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
