import { type Answer, type Answers, type Field, isShown, type Loan, type Page } from './definition.ts';
import { states } from './states.ts';

export interface Complaint {
  /** The id of the element that the message is about. */
  id: string;
  key: string;
  message: string;
}

/** The values of a submitted page by input name, and their problems. */
export function readPage(
  page: Page,
  sent: URLSearchParams,
  before: Answers,
  loans: readonly Loan[],
): { answers: Answers; complaints: Complaint[] } {
  const answers: Answers = {};
  const complaints: Complaint[] = [];
  for (const field of page.fields) {
    if (!isShown(field, { ...before, ...answers })) continue;
    const answer = field.kind === 'loans' ? [...loans] : understood(field, sent.get(field.name));
    const message = objection(field, answer, { ...before, ...answers });
    if (message) complaints.push({ id: field.choices?.[0]?.id ?? field.id, key: field.key, message });
    else if (answer !== undefined) answers[field.key] = answer;
  }
  return { answers, complaints };
}

/** Undefined: no answer. NaN: not a number. */
function understood(field: Field, raw: string | null): Answer | undefined {
  if (field.kind === 'checkbox') return raw !== null;
  const text = (raw ?? '').replaceAll('\r\n', '\n');
  if (text.trim() === '') return undefined;
  if (field.kind === 'number') return Number(text);
  if (field.kind === 'money') return /^\$?(\d+|\d{1,3}(,\d{3})+)$/.test(text) ? Number(text.replace(/[$,]/g, '')) : NaN;
  return text;
}

function objection(field: Field, answer: Answer | undefined, all: Answers): string | undefined {
  if (answer === undefined) return field.optional ? undefined : (missing[field.kind] ?? `${field.label} is required.`);
  if (Number.isNaN(answer)) return field.kind === 'money' ? 'Enter an amount in whole dollars.' : 'Enter a number.';
  if (field.kind === 'typeahead' && !states.includes(String(answer))) return 'Select a state from the list.';
  if (field.choices && field.kind !== 'loans' && !field.choices.some(({ value }) => value === answer))
    return 'Select one of the options.';
  return field.check?.(answer, all);
}

const missing: Partial<Record<Field['kind'], string>> = {
  cards: 'Select an answer.',
  radios: 'Select an answer.',
  select: 'Select an option.',
  typeahead: 'Select a state from the list.',
};

export function readLoan(sent: URLSearchParams, field: Field): { loan?: Loan; complaints: string[] } {
  const types = field.choices?.map(({ value }) => value) ?? [];
  const type = sent.get('loan_type') ?? '';
  const rate = Number(sent.get('loan_interest_rate') || NaN);
  const balance = Number((sent.get('loan_balance') || 'none').replace(/[$,]/g, ''));
  const complaints = [
    types.includes(type) ? '' : 'Select a loan type.',
    rate >= 0 && rate <= 25 ? '' : 'Enter an interest rate between 0 and 25.',
    balance > 0 ? '' : 'Enter a balance above $0.',
    field.row?.more && !sent.get('more') ? `${field.row.more.label} is required.` : '',
  ].filter(Boolean);
  if (complaints.length > 0) return { complaints };
  return { loan: { loan_type: type, loan_interest_rate: rate, loan_balance: balance }, complaints };
}
