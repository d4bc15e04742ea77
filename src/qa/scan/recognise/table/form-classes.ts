import type { FormClassRule } from '../class-rules.ts';
import { accountForms } from './account-forms.ts';
import { listForms } from './list-forms.ts';
import { messageForms } from './message-forms.ts';
import { recordForms } from './record-forms.ts';
import { shopForms } from './shop-forms.ts';

/** All form classes. The weights of matching signals add up; about 0.6 makes a class likely. */
export const formClasses: readonly FormClassRule[] = [
  ...accountForms,
  ...messageForms,
  ...shopForms,
  ...recordForms,
  ...listForms,
];
