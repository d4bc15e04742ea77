import type { Locator } from 'playwright-core';
import { locate } from '../../platform/page/ladder.ts';
import { takePicture } from '../../platform/page/picture.ts';
import type { WizardField } from '../files/wizard.ts';
import { valuesIn } from '../validation/answers.ts';
import type { Run } from './run.ts';
import { ladderOf } from './settables.ts';

export interface Screenshot {
  page: number | 'results';
  title: string;
  image: string;
}

const secretWords = /\bssn\b|social.?security.?n|passport|password|\bpin\b|card.?number|account.?number|tax.?id\b/i;

/** Whether a picture must not show it: the file says so, or its name leaves no doubt. */
function isPrivate({ private: said, field_id, label }: Pick<WizardField, 'private' | 'field_id' | 'label'>): boolean {
  return said ?? secretWords.test(`${field_id.replaceAll('_', ' ')} ${label}`);
}

/** A JPEG of the page as it is. What is private is covered, wherever on the page it stands. */
export async function picture(run: Run, quality: number, mostBytes: number, limitMs = 5_000): Promise<Buffer> {
  const timeoutMs = Math.min(limitMs, run.left());
  return takePicture(run.page(), { quality, masked: covered(run), mostBytes, timeoutMs });
}

function covered(run: Run): Locator[] {
  const page = run.page();
  const fields = run.stored.wizard.pages.flatMap(({ fields }) => fields).filter(isPrivate);
  return fields.flatMap((field) => {
    const parts = [field, ...(field.sub_fields ?? [])];
    const answer = run.answers.get(field.field_id);
    const values = answer ? valuesIn(answer).filter((value) => value.length > 2) : [];
    return [
      ...parts.flatMap((part) => ladderOf(part).map((rung) => locate(page, rung))),
      ...values.flatMap((value) => page.frames().map((frame) => frame.getByText(value))),
    ];
  });
}
