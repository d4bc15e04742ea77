import {
  type Answer,
  type Answers,
  askOtherwise,
  type Drift,
  type Field,
  type FormDefinition,
  fieldOf,
  hintOtherwise,
  insertBefore,
  moveBefore,
  type Page,
  type Results,
  removeChoice,
  rename,
  swapChoiceIds,
  swapIdentity,
} from './definition.ts';
import { dollars, resultList } from './render.ts';
import { type FormSite, type SiteOptions, startFormSite } from './server.ts';

/** Two pages and a result inside a frame; the page around it has a search box with the same label as a field. */
export function startFoodBenefits(options: SiteOptions = {}): Promise<FormSite> {
  return startFormSite(foodBenefits(options.drift), options);
}

const field = (key: string, label: string, kind: Field['kind'], more: Partial<Field> = {}): Field => ({
  key,
  id: key.replaceAll('_', '-'),
  name: key,
  label,
  kind,
  ...more,
});

function pages(): Page[] {
  return [
    {
      path: '/food/household',
      title: 'Your household',
      button: { text: 'Next' },
      fields: [
        field('zip_code', 'ZIP code', 'text', { check: fiveDigits }),
        field('adults', 'Adults', 'number'),
        field('children', 'Children', 'number'),
        field('citizen', 'Is everybody in the household a citizen?', 'radios', {
          choices: [
            { value: 'yes', label: 'Yes', id: 'citizen-yes' },
            { value: 'no', label: 'No', id: 'citizen-no' },
          ],
        }),
      ],
    },
    {
      path: '/food/money',
      title: 'Income and rent',
      button: { text: 'See my result' },
      fields: [
        field('earned_income', 'Income from work', 'money', { hint: 'Each month' }),
        field('other_income', 'Other income', 'money', { hint: 'Each month' }),
        field('rent', 'Rent or mortgage', 'money', { hint: 'Each month' }),
        field('heating_bill', 'We pay for heating or cooling', 'checkbox'),
      ],
    },
  ];
}

function fiveDigits(value: Answer): string | undefined {
  return /^\d{5}$/.test(String(value)) ? undefined : 'Enter a ZIP code of five digits.';
}

export const foodBenefitsDrifts: readonly Drift[] = [
  'renamed-id',
  'changed-label',
  'moved-field',
  'moved-to-other-page',
  'new-required-field',
  'removed-option',
  'interstitial',
  'look-alike',
  'swapped-ids',
  'swapped-options',
  'changed-question',
  'unit-change',
  'submit-handler',
];

function foodBenefits(drift?: Drift): FormDefinition {
  const built = pages();
  if (drift) changePages(built, drift);
  return {
    service: 'County Food Benefits',
    pages: built,
    ...(drift === 'interstitial' && { noticeAfter: 1 }),
    ...(drift === 'submit-handler' && { meddlesWith: fieldOf(built, 'rent').name }),
    results: { path: '/food/result', title: 'What you may get', of: decideFood, render: renderResults },
    manner: 'load',
    frame: {
      path: '/',
      title: 'Food benefits application',
      around:
        '<h1>Food benefits</h1><form role="search" action="#offices"><label for="office-zip">ZIP code</label> <input type="text" id="office-zip" name="zip"> <button type="submit">Find an office</button></form>',
    },
  };
}

function changePages(built: Page[], drift: Drift): void {
  const named = (key: string) => fieldOf(built, key);
  switch (drift) {
    case 'renamed-id':
      rename(named('earned_income'), 'wages');
      rename(named('zip_code'), 'postal');
      return;
    case 'changed-label':
      named('rent').label = 'What do you pay for your home?';
      return;
    case 'moved-field':
      moveBefore(built, 'children', 'adults');
      moveBefore(built, 'rent', 'earned_income');
      return;
    case 'moved-to-other-page':
      moveBefore(built, 'citizen', 'earned_income');
      return;
    case 'new-required-field':
      insertBefore(built, field('utilities', 'Other utilities', 'money'), 'heating_bill');
      return;
    case 'removed-option':
      removeChoice(named('citizen'), 'no');
      return;
    case 'look-alike': {
      const income = named('earned_income');
      const others = { ...income, key: 'lodger_income', label: 'A lodger’s income from work', optional: true };
      insertBefore(built, { ...others, id: 'lodger-income', name: 'lodger_income' }, 'earned_income');
      swapIdentity(fieldOf(built, 'lodger_income'), income);
      return;
    }
    case 'swapped-ids':
      swapIdentity(named('earned_income'), named('other_income'));
      return;
    case 'swapped-options':
      swapChoiceIds(named('citizen'), 'yes', 'no');
      return;
    case 'changed-question':
      askOtherwise(built, 'citizen', 'Is anybody in the household not a citizen?');
      return;
    case 'unit-change':
      hintOtherwise(built, 'earned_income', 'Each year');
      return;
    default:
      return;
  }
}

export function decideFood(answers: Answers): Results {
  const amount = (key: string) => Number(answers[key] ?? 0);
  const people = amount('adults') + amount('children') * 0.9;
  const income = amount('earned_income') * 0.8 + amount('other_income');
  const costs = amount('rent') * 0.5 + (answers['heating_bill'] ? 220 : 0);
  const benefit = Math.max(23, Math.round(290 * people - 0.3 * Math.max(0, income - costs)));
  return {
    monthly_benefit: benefit + (answers['citizen'] === 'yes' ? 0 : 1),
    office: `Office ${Number(String(answers['zip_code']).slice(0, 3)) + 1}`,
  };
}

function renderResults(results: Results): string {
  return resultList([
    ['benefit', 'Estimated monthly benefit', dollars(Number(results['monthly_benefit']))],
    ['office', 'Your office', String(results['office'])],
  ]);
}
