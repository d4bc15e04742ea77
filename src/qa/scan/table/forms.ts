import type { FormClass } from '../model.ts';
import { accountForms } from './account.ts';
import { listForms } from './lists.ts';
import { messageForms } from './messages.ts';
import { recordForms } from './records.ts';
import { shopForms } from './shop.ts';

/** What forms are for. The weights of what is seen are added up; about 0.6 makes a class likely. */
export const formClasses: readonly FormClass[] = [
  ...accountForms,
  ...messageForms,
  ...shopForms,
  ...recordForms,
  ...listForms,
];
