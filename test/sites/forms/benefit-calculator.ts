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

/** One page; a script sends the form and draws the result below it. The address never changes. */
export function startBenefitCalculator(options: SiteOptions = {}): Promise<FormSite> {
  return startFormSite(benefitCalculator(options.drift), options);
}

const field = (id: string, key: string, label: string, kind: Field['kind'], more: Partial<Field> = {}): Field => ({
  key,
  id,
  name: id,
  label,
  kind,
  ...more,
});

const within = (least: number, most: number, message: string) => (value: Answer) =>
  /^\d+$/.test(String(value)) && Number(value) >= least && Number(value) <= most ? undefined : message;

const born = { legend: 'Date of birth', hint: 'Month, day and year' };
const last = { legend: 'Last year you had covered earnings', optional: true };
const retiring = { legend: 'Future retirement date', optional: true };

function pages(): Page[] {
  return [
    {
      path: '/OACT/quickcalc/',
      title: 'Quick Calculator',
      intro: 'Benefit estimates depend on your date of birth and on your earnings history.',
      button: { text: 'Submit request' },
      fields: [
        field('month', 'birth_month', 'Month', 'text', { ...born, check: within(1, 12, 'Enter a month of birth.') }),
        field('day', 'birth_day', 'Day', 'text', { ...born, check: within(1, 31, 'Enter a day of birth.') }),
        field('year', 'birth_year', 'Year', 'text', {
          ...born,
          check: within(1930, 2004, 'Enter a year of birth between 1930 and 2004.'),
        }),
        field('earnings', 'current_earnings', 'Earnings in the current year', 'money', {
          hint: 'Before taxes, in whole dollars.',
        }),
        field('lastyear', 'last_year_worked', 'Year', 'text', last),
        field('lastearnings', 'last_year_earnings', 'Earnings', 'money', last),
        field('retiremonth', 'retirement_month', 'Month', 'text', {
          ...retiring,
          check: within(1, 12, 'Enter a month of retirement.'),
        }),
        field('retireyear', 'retirement_year', 'Year', 'text', { ...retiring, check: lateEnough }),
        field('dollars', 'dollar_type', 'See your benefit estimate in', 'radios', {
          choices: [
            { value: 'constant', label: 'today’s dollars', id: 'constant' },
            { value: 'nominal', label: 'inflated (future) dollars', id: 'nominal' },
          ],
        }),
      ],
    },
  ];
}

function lateEnough(value: Answer, { birth_year }: Answers): string | undefined {
  return Number(value) - Number(birth_year) >= 62 ? undefined : 'You must be at least 62 when you retire.';
}

export const benefitCalculatorDrifts: readonly Drift[] = [
  'renamed-id',
  'changed-label',
  'moved-field',
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

function benefitCalculator(drift?: Drift): FormDefinition {
  const built = pages();
  if (drift) changePages(built, drift);
  return {
    service: 'Retirement Benefit Calculator',
    // The notice stands before the only page.
    ...(drift === 'interstitial' && {
      landing: {
        path: '/OACT/',
        text: 'Our calculators are being renewed. Please tell us what you think of them.',
        button: { id: 'survey', text: 'Go on to the calculator' },
      },
    }),
    pages: built,
    ...(drift === 'submit-handler' && { meddlesWith: fieldOf(built, 'current_earnings').name }),
    results: { path: '/OACT/quickcalc/results', title: 'Your Estimate', of: estimateBenefit, render: renderResults },
    manner: 'script',
  };
}

function changePages(built: Page[], drift: Drift): void {
  const named = (key: string) => fieldOf(built, key);
  switch (drift) {
    case 'renamed-id':
      rename(named('current_earnings'), 'annual-earnings');
      rename(named('birth_year'), 'yob');
      return;
    case 'changed-label':
      named('current_earnings').label = 'This year’s earnings before taxes';
      return;
    case 'moved-field':
      moveBefore(built, 'dollar_type', 'birth_month');
      moveBefore(built, 'birth_day', 'birth_month');
      return;
    case 'new-required-field':
      insertBefore(built, field('sex', 'sex', 'Sex', 'radios', { choices: sexes }), 'dollar_type');
      return;
    case 'removed-option':
      removeChoice(named('dollar_type'), 'nominal');
      return;
    case 'interstitial':
      for (const each of built) each.path = '/OACT/quickcalc/new/';
      return;
    case 'look-alike': {
      const own = named('current_earnings');
      const spouse = { ...own, key: 'spouse_earnings', label: 'Spouse’s earnings in the current year', optional: true };
      rename(spouse, 'spouse-earnings');
      insertBefore(built, spouse, 'current_earnings');
      swapIdentity(spouse, own);
      return;
    }
    case 'swapped-ids':
      swapIdentity(named('current_earnings'), named('last_year_earnings'));
      return;
    case 'swapped-options':
      swapChoiceIds(named('dollar_type'), 'constant', 'nominal');
      return;
    case 'changed-question':
      askOtherwise(built, 'last_year_worked', 'Last year your spouse had covered earnings');
      askOtherwise(built, 'dollar_type', 'You have seen an estimate before in');
      return;
    case 'unit-change':
      hintOtherwise(built, 'current_earnings', 'Before taxes, in thousands of dollars.');
      return;
    default:
      return;
  }
}

const sexes = [
  { value: 'f', label: 'Female', id: 'sex-f' },
  { value: 'm', label: 'Male', id: 'sex-m' },
];

export function estimateBenefit(answers: Answers): Results {
  const amount = (key: string, otherwise = 0) => Number(answers[key] ?? otherwise);
  const year = amount('retirement_year', amount('birth_year') + 67);
  const monthly =
    (amount('current_earnings') * 0.02 + amount('last_year_earnings') * 0.003) *
      (1 + (year - amount('birth_year') - 67) * 0.07) +
    amount('birth_month') +
    amount('birth_day') / 10 +
    amount('retirement_month') +
    amount('last_year_worked') / 1000;
  const inflated = answers['dollar_type'] === 'nominal' ? 1.6 : 1;
  return { monthly_benefit: Math.round(monthly * inflated), retirement_age: year - amount('birth_year') };
}

function renderResults(results: Results): string {
  return resultList([
    ['est_result', 'Estimated monthly benefit', `${dollars(Number(results['monthly_benefit']))} a month`],
    ['est_age', 'Age at retirement', `${results['retirement_age']} years`],
  ]);
}
