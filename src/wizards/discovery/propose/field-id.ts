import type { Control } from '../../../platform/page/page-model.ts';
import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import { questionStart } from '../../vocabulary/field-labels.ts';

const questionStartPattern = new RegExp(phrasesOf(questionStart), 'i');
const MAX_LENGTH = 48;

/** A field id from words: lower case, underscores, no digit at the start. Empty where the words have no Latin letters. */
export function snakeCase(words: string): string {
  const plain = words
    .normalize('NFKD')
    .replaceAll(/['’]s\b/g, '')
    .replaceAll(/[\u0300-\u036f'’]/g, '')
    .replace(questionStartPattern, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const short = plain.length > MAX_LENGTH ? plain.slice(0, MAX_LENGTH).replace(/_[^_]*$/, '') : plain;
  return /^\d/.test(short) ? `_${short}` : short;
}

/** A unique id for a control: from its label, else from its attributes, else from its position. */
export function uniqueFieldId(control: Control, label: string, taken: ReadonlySet<string>): string {
  const names = [label, control.nameAttribute ?? '', control.id ?? '', control.placeholder];
  const base = names.map(snakeCase).find((id) => id.length > 1) ?? `field_${control.order + 1}`;
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}_${n}`;
    if (!taken.has(id)) return id;
  }
}
