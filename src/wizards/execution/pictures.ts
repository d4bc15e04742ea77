import type { Locator } from 'playwright-core';
import { locate } from '../../platform/page/ladder.ts';
import { takePicture } from '../../platform/page/picture.ts';
import type { WizardField, WizardSubField } from '../files/wizard.ts';
import { type Answer, valuesIn } from '../validation/answers.ts';
import type { Run } from './run.ts';
import { ladderOf } from './settables.ts';

export interface Screenshot {
  page: number | 'results';
  title: string;
  image: string;
}

const secretWords = /\bssn\b|social.?security.?n|passport|password|\bpin\b|card.?number|account.?number|tax.?id\b/i;

/** Whether a picture must not show it: the file says so, or its name leaves no doubt. */
function isPrivate({ private: said, field_id, label = '' }: WizardField | WizardSubField): boolean {
  return said ?? secretWords.test(`${field_id.replaceAll('_', ' ')} ${label}`);
}

/** A JPEG of the page as it is. What is private is covered, wherever on the page it stands. */
export async function picture(run: Run, quality: number, mostBytes: number, limitMs = 5_000): Promise<Buffer> {
  const timeoutMs = Math.min(limitMs, run.left());
  return takePicture(run.page(), { quality, masked: covered(run), mostBytes, timeoutMs });
}

function covered(run: Run): Locator[] {
  const page = run.page();
  const secrets = run.stored.wizard.pages.flatMap(({ fields }) => fields).flatMap((field) => secretsOf(run, field));
  return secrets.flatMap(({ part, values }) => [
    ...ladderOf(part).map((rung) => locate(page, rung)),
    ...values.flatMap((value) => page.frames().map((frame) => frame.getByText(asShown(value)))),
  ]);
}

interface Secret {
  part: WizardField | WizardSubField;
  values: string[];
}

/** What is private of a field: all of it, or some of its parts, in every row. */
function secretsOf(run: Run, field: WizardField): Secret[] {
  const answer = run.answers.get(field.field_id);
  const long = (answers: readonly Answer[]) => answers.flatMap(valuesIn).filter((value) => value.length > 2);
  const rows = answer?.kind === 'rows' ? answer.rows : answer?.kind === 'group' ? [answer.parts] : [];
  const of = (part: WizardSubField) => long(rows.flatMap((row) => row.get(part.field_id) ?? []));
  if (isPrivate(field)) {
    const whole = { part: field, values: answer ? long([answer]) : [] };
    return [whole, ...(field.sub_fields ?? []).map((part) => ({ part, values: [] }))];
  }
  return (field.sub_fields ?? []).filter(isPrivate).map((part) => ({ part, values: of(part) }));
}

/** A site says an amount again with its thousands apart. */
function asShown(value: string): string | RegExp {
  if (!/^\d+(?:\.\d+)?$/.test(value)) return value;
  const [whole = '', cents] = value.split('.');
  return new RegExp([...whole].join('[,.\u2019\u00a0\u202f ]?') + (cents ? `[.,]${cents}` : ''));
}
