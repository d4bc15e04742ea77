import {
  type Answer,
  type Answers,
  askOtherwise,
  type Drift,
  type Field,
  type FormDefinition,
  fieldOf,
  insertBefore,
  moveBefore,
  type Page,
  type Results,
  removeChoice,
  swapIdentity,
} from './definition.ts';
import { dollars, resultList } from './render.ts';
import { type FormSite, type SiteOptions, startFormSite } from './server.ts';

/** A form that is redrawn on every input with new ids, and loses the focus. Only its texts stay the same. */
export function startHeatingHelp(options: SiteOptions = {}): Promise<FormSite> {
  return startFormSite(heatingHelp(options.drift), options);
}

export const counties = ['Addison', 'Bennington', 'Caledonia', 'Chittenden', 'Franklin', 'Grand Isle', 'Orange'];

const field = (key: string, label: string, kind: Field['kind'], more: Partial<Field> = {}): Field => ({
  key,
  id: key,
  name: key,
  label,
  kind,
  ...more,
});

function pages(): Page[] {
  return [
    {
      path: '/heating/apply',
      title: 'Help with heating costs',
      intro: 'Tell us about your household.',
      button: { text: 'Send application' },
      fields: [
        field('full_name', 'Full name', 'text'),
        field('email', 'Email address', 'text', {
          check: (value) => (/^\S+@\S+\.\S+$/.test(String(value)) ? undefined : 'Enter an email address.'),
        }),
        field('household_size', 'People in your household', 'number', { check: sensibleHousehold }),
        field('monthly_income', 'Monthly household income', 'money'),
        field('county', 'County', 'select', {
          choices: counties.map((label) => ({ value: label.toLowerCase().replace(' ', '-'), label, id: '' })),
        }),
        field('fuel', 'How do you heat your home?', 'radios', {
          choices: [
            { value: 'oil', label: 'Oil', id: '' },
            { value: 'gas', label: 'Natural gas', id: '' },
            { value: 'wood', label: 'Wood or pellets', id: '' },
            { value: 'electric', label: 'Electricity', id: '' },
          ],
        }),
        field('over_sixty', 'Somebody in the household is over 60', 'checkbox'),
        field('remarks', 'Anything else we should know', 'textarea', { optional: true }),
      ],
    },
  ];
}

function sensibleHousehold(value: Answer): string | undefined {
  return Number(value) >= 1 && Number(value) <= 15 ? undefined : 'Enter a number of people between 1 and 15.';
}

export const heatingHelpDrifts: readonly Drift[] = [
  'renamed-id',
  'changed-label',
  'moved-field',
  'new-required-field',
  'removed-option',
  'interstitial',
  'look-alike',
  'swapped-options',
  'changed-question',
  'submit-handler',
];

function heatingHelp(drift?: Drift): FormDefinition {
  const built = pages();
  if (drift) changePages(built, drift);
  return {
    service: 'Heating Help',
    ...(drift === 'interstitial' && {
      landing: {
        path: '/heating/',
        text: 'Before you apply: have your last fuel bill at hand.',
        button: { id: 'go', text: 'Start now' },
      },
    }),
    pages: built,
    ...(drift === 'submit-handler' && { meddlesWith: fieldOf(built, 'monthly_income').name }),
    results: { path: '/heating/done', title: 'Application received', of: decideHeating, render: renderResults },
    manner: 'redraw',
  };
}

function changePages(built: Page[], drift: Drift): void {
  const named = (key: string) => fieldOf(built, key);
  switch (drift) {
    case 'renamed-id':
      // All ids change with every redraw anyway, so this drift changes the button.
      for (const each of built) each.button = { text: 'Submit' };
      return;
    case 'changed-label':
      named('monthly_income').label = 'Household income per month (before taxes)';
      return;
    case 'moved-field':
      moveBefore(built, 'monthly_income', 'full_name');
      moveBefore(built, 'over_sixty', 'county');
      return;
    case 'new-required-field':
      insertBefore(built, field('phone', 'Phone number', 'text'), 'household_size');
      return;
    case 'removed-option':
      removeChoice(named('county'), 'grand-isle');
      removeChoice(named('fuel'), 'wood');
      return;
    case 'interstitial':
      for (const each of built) each.path = '/heating/apply/form';
      return;
    case 'look-alike': {
      const income = named('monthly_income');
      const yearly = { ...income, key: 'yearly_income', label: 'Yearly household income', optional: true };
      insertBefore(built, { ...yearly, id: 'yearly_income', name: 'yearly_income' }, 'monthly_income');
      swapIdentity(fieldOf(built, 'yearly_income'), income);
      return;
    }
    case 'swapped-options':
      // There are no ids to exchange: the order is all that a positional locator has.
      named('fuel').choices?.reverse();
      return;
    case 'changed-question':
      askOtherwise(built, 'fuel', 'How did you heat your last home?');
      return;
    default:
      return;
  }
}

export function decideHeating(answers: Answers): Results {
  const people = Number(answers['household_size'] ?? 1);
  const rates: Record<string, number> = { oil: 1.3, gas: 1, wood: 0.8, electric: 1.15 };
  const need = Math.max(0, 900 + 450 * people - Number(answers['monthly_income'] ?? 0) / 4);
  const grant = Math.round(need * (rates[String(answers['fuel'])] ?? 1) + (answers['over_sixty'] ? 75 : 0));
  const letters = [...`${answers['full_name']}${answers['email']}${answers['county']}${answers['remarks'] ?? ''}`];
  const sum = letters.reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7);
  return { grant, reference: `HH-${String(sum).padStart(7, '0')}` };
}

function renderResults(results: Results): string {
  return resultList([
    ['grant', 'Your grant', dollars(Number(results['grant']))],
    ['reference', 'Reference number', String(results['reference'])],
  ]);
}
