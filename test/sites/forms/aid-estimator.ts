import {
  type Answer,
  type Answers,
  askOtherwise,
  type Choice,
  type Drift,
  type Field,
  type FormDefinition,
  fieldOf,
  hintOtherwise,
  insertBefore,
  moveBefore,
  type Page,
  pageOf,
  type Results,
  removeChoice,
  rename,
  swapChoiceIds,
  swapIdentity,
} from './definition.ts';
import { dollars, resultList } from './render.ts';
import { type FormSite, type SiteOptions, startFormSite } from './server.ts';

/** Seven pages that load one after the other, with the ids and habits of the student aid estimator. */
export function startAidEstimator(options: SiteOptions = {}): Promise<FormSite> {
  return startFormSite(aidEstimator(options.drift), options);
}

const field = (key: string, id: string, label: string, kind: Field['kind'], more: Partial<Field> = {}): Field => ({
  key,
  id,
  name: id,
  label,
  kind,
  ...more,
});

const choice = (value: string, label: string, id: string): Choice => ({ value, label, id });

const within = (least: number, most: number, message: string) => (value: Answer) =>
  Number(value) >= least && Number(value) <= most && Number.isInteger(value) ? undefined : message;

function isRealDay(value: Answer, { birth_month }: Answers): string | undefined {
  const days = new Date(Date.UTC(2004, Number(birth_month), 0)).getUTCDate();
  return within(1, days, 'Enter a day that exists in that month.')(value);
}

function datePart(key: string, part: string, check: NonNullable<Field['check']>): Field {
  return field(key, `fsa_Input_DateOfBirth${part}`, part, 'number', {
    legend: 'What is the student’s date of birth?',
    hint: 'For example: 05 15 2007',
    check,
  });
}

function circumstance(key: string, id: string, label: string, excludesOthers = false): Field {
  return field(key, `fsa_Checkbox_${id}`, label, 'checkbox', {
    legend: 'Do any of these apply to the student?',
    showWhen: { key: 'has_dependents', is: 'no' },
    ...(excludesOthers && { excludesOthers }),
  });
}

const button = { id: 'fsa_Button_FlowPrimary', text: 'Continue' };
const page = (path: string, title: string, fields: Field[]): Page => ({
  path: `/aid-estimator/estimate/${path}`,
  title,
  fields,
  button,
});

function pages(): Page[] {
  const yesNo = (id: string) => [choice('yes', 'Yes', `${id}Yes`), choice('no', 'No', `${id}No`)];
  const parentsTaxes = { showWhen: { key: 'parent_filed_taxes', is: 'yes' } };
  const ownTaxes = { showWhen: { key: 'student_filed_taxes', is: 'yes' } };
  return [
    page('student-information', 'Student Information', [
      datePart('birth_month', 'Month', within(1, 12, 'Enter a month between 1 and 12.')),
      datePart('birth_day', 'Day', isRealDay),
      datePart('birth_year', 'Year', within(1950, 2012, 'Enter a year between 1950 and 2012.')),
      field('marital_status', 'fsa_Group_MaritalStatus', 'What is the student’s marital status?', 'cards', {
        choices: [
          choice('unmarried', 'Unmarried (single, divorced, or widowed)', 'fsa_Radio_MaritalStatusUnmarried'),
          choice('married', 'Married (not separated) or remarried', 'fsa_Radio_MaritalStatusMarriedReMarried'),
          choice('separated', 'Separated', 'fsa_Radio_MaritalStatusSeparated'),
        ],
      }),
      field('state', 'fsa_Typeahead_StateOfResidence', 'What is the student’s state of residence?', 'typeahead'),
      field('grade_level', 'fsa_Group_CollegeLevel', 'What will the student’s grade level be in 2026–27?', 'cards', {
        showWhen: { key: 'state' },
        choices: [
          choice('freshman', 'First year (freshman)', 'fsa_Radio_CollegeLevelFreshman'),
          choice('sophomore', 'Second year (sophomore)', 'fsa_Radio_CollegeLevelSophomore'),
          choice('other_undergrad', 'Other undergraduate', 'fsa_Radio_CollegeLevelOther'),
          choice('graduate', 'Master’s, doctorate, or graduate certificate', 'fsa_Radio_CollegeLevelGraduate'),
        ],
      }),
    ]),
    page('student-information/personal-circumstances', 'Student Personal Circumstances', [
      field(
        'has_dependents',
        'fsa_Group_HaveDependents',
        'Does the student have children or other dependents that they support?',
        'cards',
        { choices: yesNo('fsa_Radio_HaveDependents') },
      ),
      circumstance('active_duty', 'ActiveDuty', 'The student is on active duty or is a veteran'),
      circumstance('parents_deceased', 'ParentsDeceased', 'The student’s parents are deceased'),
      circumstance('foster_care', 'WasInFosterCare', 'The student was in foster care'),
      circumstance('emancipated', 'EmancipatedMinor', 'The student is an emancipated minor'),
      circumstance('homeless', 'Homeless', 'The student is homeless or at risk of being homeless'),
      circumstance('personal_circumstances_none', 'none', 'None of these apply', true),
    ]),
    page('parent-marital-status', 'Parent Marital Status', [
      field(
        'parents_married',
        'fsa_Group_ParentsMarried',
        'Are the student’s parents married to each other?',
        'cards',
        {
          choices: [
            choice('yes', 'Yes', 'fsa_Radio_parentMaritalInformation-question1-yes'),
            choice('no', 'No', 'fsa_Radio_parentMaritalInformation-question1-no'),
          ],
        },
      ),
    ]),
    page('parent-information', 'Parent Information', [
      field('parent_marital_status', 'fsa_Group_ParentStatus', 'What is the parent’s marital status?', 'cards', {
        choices: [
          choice('married', 'Married', 'fsa_Radio_ParenFamilyInfoMarried'),
          choice('unmarried', 'Unmarried', 'fsa_Radio_ParenFamilyInfoUnmarried'),
          choice('unmarried_together', 'Unmarried and living together', 'fsa_Radio_ParenFamilyInfoUnmarriedTogether'),
        ],
      }),
      field('parent_state', 'fsa_Typeahead_States', 'What is the parent’s state of residence?', 'typeahead'),
    ]),
    page('parent-information/family-size', 'Family Size', [
      field(
        'family_size',
        'fsa_Input_NumInHousehold',
        'How many people are in the student’s family, including the student?',
        'number',
        { check: familySize },
      ),
    ]),
    page('financial-information/parent-information', 'Parent Income and Assets', [
      field('parent_filed_taxes', 'fsa_Group_ParentFiled', 'Did the student’s parent file taxes in 2024?', 'cards', {
        choices: yesNo('fsa_Radio_FamilySizeChange'),
      }),
      field('parent_income', 'fsa_Input_ParentIncome', 'Parent’s Adjusted Gross Income', 'money', parentsTaxes),
      field('parent_assets', 'fsa_Input_ParentAssets', 'Parent’s Total Assets', 'money', parentsTaxes),
      field('parent_child_support', 'fsa_Input_ParentChildSupport', 'Annual Child Support Received', 'money', {
        ...parentsTaxes,
        hint: 'For the last complete calendar year. Enter 0 if there was none.',
      }),
    ]),
    page('financial-information/student-information', 'Student Income and Assets', [
      field('student_filed_taxes', 'fsa_Group_StudentFiled', 'Did the student file taxes in 2024?', 'cards', {
        choices: yesNo('fsa_Radio_StudentFiled'),
      }),
      field('student_income', 'fsa_Input_StudentIncome', 'Student’s Adjusted Gross Income', 'money', ownTaxes),
      field('student_assets', 'fsa_Input_StudentAssets', 'Student’s Total Assets', 'money', ownTaxes),
    ]),
  ];
}

/** A rule that only the server knows. */
function familySize(value: Answer, { parents_married }: Answers): string | undefined {
  const least = parents_married === 'yes' ? 3 : 2;
  return within(least, 20, `Family size must be between ${least} and 20.`)(value);
}

export const aidEstimatorDrifts: readonly Drift[] = [
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

function aidEstimator(drift?: Drift): FormDefinition {
  const built = pages();
  if (drift) changePages(built, drift);
  return {
    service: 'Student Aid Estimator',
    landing: {
      path: '/aid-estimator/',
      text: 'Estimate how much federal aid a student could get. It takes about ten minutes.',
      button: { id: 'fsa_Button_StartEstimate', text: 'Start Estimate' },
    },
    pages: built,
    ...(drift === 'interstitial' && { noticeAfter: 3 }),
    ...(drift === 'submit-handler' && { meddlesWith: fieldOf(built, 'family_size').name }),
    results: {
      path: '/aid-estimator/estimate/results',
      title: 'Your Results',
      of: estimateAid,
      render: renderResults,
    },
    manner: 'load',
  };
}

function changePages(built: Page[], drift: Drift): void {
  const named = (key: string) => fieldOf(built, key);
  switch (drift) {
    case 'renamed-id':
      rename(named('parent_income'), 'fsa_Input_ParentAdjustedGrossIncome2024');
      rename(named('state'), 'fsa_Typeahead_LegalResidence');
      named('marital_status').choices?.forEach((each, index) => {
        each.id = `fsa_Radio_StudentMarital_${index}`;
      });
      return;
    case 'changed-label':
      named('parent_income').label = 'Parent’s income from the 2024 tax return (line 11)';
      named('family_size').label = 'Household size';
      return;
    case 'moved-field':
      moveBefore(built, 'birth_year', 'birth_month');
      moveBefore(built, 'parent_assets', 'parent_income');
      return;
    case 'moved-to-other-page':
      moveBefore(built, 'parent_state', 'family_size');
      return;
    case 'new-required-field':
      insertBefore(
        built,
        field('in_college', 'fsa_Input_NumInCollege', 'How many of them will be in college?', 'number'),
        'family_size',
      );
      pageOf(built, 'in_college').fields.reverse();
      return;
    case 'removed-option':
      removeChoice(named('marital_status'), 'separated');
      return;
    case 'look-alike': {
      const income = named('parent_income');
      const spouse = { ...income, key: 'spouse_income', label: 'Spouse’s Adjusted Gross Income', optional: true };
      rename(spouse, 'fsa_Input_SpouseIncome');
      insertBefore(built, spouse, 'parent_income');
      swapIdentity(spouse, income);
      return;
    }
    case 'swapped-ids':
      swapIdentity(named('parent_income'), named('parent_assets'));
      return;
    case 'swapped-options':
      swapChoiceIds(named('student_filed_taxes'), 'yes', 'no');
      return;
    case 'changed-question':
      askOtherwise(built, 'parents_married', 'Do the student’s parents live apart from each other?');
      return;
    case 'unit-change':
      hintOtherwise(built, 'parent_child_support', 'For the last complete calendar month. Enter 0 if there was none.');
      return;
    default:
      return;
  }
}

/** Every answer changes the result, so that different data sets never look equal by accident. */
export function estimateAid(answers: Answers): Results {
  const amount = (key: string) => Number(answers[key] ?? 0);
  const own = Math.max(0, amount('student_income') - 11_000) * 0.5 + amount('student_assets') * 0.2;
  const parents =
    Math.max(0, amount('parent_income') - 20_000 - 4_500 * amount('family_size')) * 0.25 +
    amount('parent_assets') * 0.05 +
    amount('parent_child_support') * 0.1;
  const independent =
    answers['marital_status'] !== 'unmarried' ||
    answers['has_dependents'] === 'yes' ||
    answers['grade_level'] === 'graduate' ||
    ['active_duty', 'parents_deceased', 'foster_care', 'emancipated', 'homeless'].some((key) => answers[key] === true);
  const stateFactor = String(answers['state']).length + (answers['state'] === answers['parent_state'] ? 0 : 17);
  const age = amount('birth_year') * 12 + amount('birth_month') + amount('birth_day') / 31;
  const index = Math.max(
    -1500,
    Math.round((independent ? own : own + parents) - 1200 + stateFactor + (24_100 - age) / 12),
  );
  const pell = index >= 7395 ? 0 : Math.min(7395, Math.max(740, 7395 - Math.max(0, index)));
  return {
    student_aid_index: index,
    federal_pell_grant_estimate: pell,
    eligibility: pell > 0 ? 'Eligible for a Federal Pell Grant' : 'Not eligible for a Federal Pell Grant',
  };
}

function renderResults(results: Results): string {
  return resultList([
    ['fsa_Text_SaiValue', 'Student Aid Index (SAI)', Number(results['student_aid_index']).toLocaleString('en-US')],
    ['fsa_Text_PellValue', 'Federal Pell Grant estimate', dollars(Number(results['federal_pell_grant_estimate']))],
    ['fsa_Text_Eligibility', 'Eligibility', String(results['eligibility'])],
  ]);
}
