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
  type Loan,
  moveBefore,
  type Page,
  type Results,
  type RowForm,
  recordOtherwise,
  removeChoice,
  rename,
  swapChoiceIds,
  swapIdentity,
} from './definition.ts';
import { dollars, resultList } from './render.ts';
import { type FormSite, type SiteOptions, startFormSite } from './server.ts';

/** Six pages that are swapped in without a load, the last with a list of loans that are added one by one. */
export function startLoanSimulator(options: SiteOptions = {}): Promise<FormSite> {
  return startFormSite(loanSimulator(options.drift), options);
}

/** The site writes U+2019; people and old data files write an apostrophe. */
export const programTypes = [
  'Undergraduate certificate or diploma program',
  'Associate degree',
  'Bachelor’s degree',
  'Post-baccalaureate certificate',
  'Master’s degree',
  'Doctoral degree',
  'First professional degree',
  'Graduate/Professional certificate',
];
export const programLengths = ['Less than 1 year', '1 year', '2 years', '3 years', '4 years', '5 years', '6 years'];
export const familyIncomes = [
  '$0 - $30,000',
  '$30,001 - $48,000',
  '$48,001 - $75,000',
  '$75,001 - $110,000',
  '$110,001+',
  'I don’t know.',
];
export const loanTypes = [
  'Direct Subsidized Loan',
  'Direct Unsubsidized Loan',
  'Direct Graduate Unsubsidized Loan',
  'Direct Subsidized Consolidation Loan',
  'Direct Unsubsidized Consolidation Loan',
  'Direct PLUS Loan for Graduate/Professionals',
  'Direct PLUS Loan for Parents',
  'Private Loan',
];

const choices = (labels: readonly string[]) => labels.map((label) => ({ value: label, label, id: '' }));

const field = (key: string, id: string, label: string, kind: Field['kind'], more: Partial<Field> = {}): Field => ({
  key,
  id,
  name: id,
  label,
  kind,
  ...more,
});

const page = (path: string, title: string, fields: Field[]): Page => ({
  path: `/loan-simulator/borrow-more/wizard/${path}`,
  title,
  fields,
  button: { id: 'fsa_Button_WizardContinue', text: 'Continue' },
});

const prefix = 'fsa_Select_LoanSimulatorBorrowMoreWizardProgramInfo';

function pages(): Page[] {
  return [
    page('enrollment-info/current-or-future', 'Current or Future Program', [
      field(
        'program_timing',
        'fsa_Group_ProgramTiming',
        'Are you borrowing more federal student loans for a current or future program of study?',
        'cards',
        {
          choices: [
            { value: 'current', label: 'Current program', id: 'fsa_Radio_WizardCurrentProgram' },
            { value: 'future', label: 'Future program', id: 'fsa_Radio_WizardFutureProgram' },
          ],
        },
      ),
    ]),
    page('enrollment-info/program-info', 'Tell us about your program', [
      field('program_type', `${prefix}ProgramType`, 'Program Type', 'select', { choices: choices(programTypes) }),
      field('program_length', `${prefix}ProgramLength`, 'Program Length', 'select', {
        choices: choices(programLengths),
      }),
      field('dependency_status', 'fsa_Group_DependencyStatus', 'Dependency Status', 'cards', {
        choices: [
          { value: 'dependent', label: 'Dependent', id: 'fsa_Radio_LoanSimulatorDependentStatus' },
          { value: 'independent', label: 'Independent', id: 'fsa_Radio_LoanSimulatorIndependentStatus' },
        ],
      }),
      field(
        'school_location',
        'fsa_Typeahead_LoanSimulatorBorrowMoreWizardIncomeSchoolState',
        'School Location',
        'typeahead',
        { optional: true },
      ),
    ]),
    page('enrollment-info/family-income', 'Family Income', [
      field(
        'family_income',
        'fsa_Select_BorrowMoreFamilyIncome',
        'How much money does your family make each year?',
        'select',
        { choices: choices(familyIncomes) },
      ),
    ]),
    page('enrollment-info/borrow-amount', 'Program Cost', [
      field(
        'borrow_amount',
        'fsa_Input_BorrowAmount',
        'How much do you think you will need to pay for school?',
        'money',
        { check: (value) => (Number(value) > 0 ? undefined : 'Enter an amount above $0.') },
      ),
    ]),
    page('personal-info/income-info', 'Income Information', [
      field('expected_salary', 'fsa_Input_YearlySalary', 'What is your expected yearly salary?', 'money'),
      field(
        'income_growth_rate',
        'fsa_Input_IncomeGrowth',
        'How much do you expect your income to grow by each year?',
        'number',
        { optional: true, hint: 'Percent. The average is 5.' },
      ),
    ]),
    page('loan-info/confirm-current-loan/current', 'Confirm Current Loan Situation', [
      field('current_loans', 'loan_table', 'Current Loans', 'loans', {
        choices: choices(loanTypes),
        row: {
          type: { id: 'fsa_Select_LoanSimulatorUserAddedLoanType', label: 'Loan Type' },
          rate: { id: 'fsa_Input_LoanSimulatorUserAddedInterestRate', label: 'Interest Rate' },
          balance: { id: 'fsa_Input_LoanSimulatorUserAddedPrincipalBalance', label: 'Principal Balance' },
        },
        check: (loans) =>
          Array.isArray(loans) && loans.length > 0
            ? undefined
            : 'Missing Loan Information. You need to add a loan to continue.',
      }),
    ]),
  ];
}

export const loanSimulatorDrifts: readonly Drift[] = [
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
  'rows-renamed-id',
  'rows-changed-label',
  'rows-new-required-field',
  'rows-removed-option',
  'rows-look-alike',
  'rows-swapped-ids',
  'rows-changed-question',
  'rows-rounded',
  'rows-lost',
];

function loanSimulator(drift?: Drift): FormDefinition {
  const built = pages();
  if (drift) changePages(built, drift);
  return {
    service: 'Loan Simulator',
    landing: {
      path: '/loan-simulator/',
      text: 'Find out what borrowing more would mean for your repayment.',
      button: { id: 'fsa_LinkButton_LoanSimulatorLandingRepayStrategyStartUnauth3', text: 'Start From Scratch' },
    },
    pages: built,
    ...(drift === 'interstitial' && { noticeAfter: 4 }),
    ...(drift === 'submit-handler' && { meddlesWith: fieldOf(built, 'borrow_amount').name }),
    results: {
      path: '/loan-simulator/borrow-more/results',
      title: 'Your Repayment Estimate',
      of: simulateLoans,
      render: renderResults,
    },
    manner: 'swap',
  };
}

function changePages(built: Page[], drift: Drift): void {
  const named = (key: string) => fieldOf(built, key);
  switch (drift) {
    case 'renamed-id':
      rename(named('program_length'), 'fsa_Select_ProgramDuration');
      rename(named('expected_salary'), 'fsa_Input_AnnualSalaryExpected');
      return;
    case 'changed-label':
      named('borrow_amount').label = 'Total cost of your program';
      named('program_type').label = 'What kind of program is it?';
      return;
    case 'moved-field':
      moveBefore(built, 'program_length', 'program_type');
      moveBefore(built, 'income_growth_rate', 'expected_salary');
      return;
    case 'moved-to-other-page':
      moveBefore(built, 'dependency_status', 'family_income');
      return;
    case 'new-required-field':
      insertBefore(
        built,
        field('enrollment', 'fsa_Select_Enrollment', 'Enrollment Status', 'select', {
          choices: choices(['Full time', 'Half time']),
        }),
        'program_length',
      );
      return;
    case 'removed-option':
      removeChoice(named('program_type'), 'Bachelor’s degree');
      return;
    case 'rows-removed-option':
      removeChoice(named('current_loans'), 'Private Loan');
      return;
    case 'look-alike': {
      const salary = named('expected_salary');
      const spouse = { ...salary, key: 'spouse_salary', label: 'What is your spouse’s yearly salary?', optional: true };
      rename(spouse, 'fsa_Input_SpouseYearlySalary');
      insertBefore(built, spouse, 'expected_salary');
      swapIdentity(spouse, salary);
      return;
    }
    case 'swapped-ids':
      swapIdentity(named('expected_salary'), named('income_growth_rate'));
      return;
    case 'swapped-options':
      swapChoiceIds(named('program_timing'), 'current', 'future');
      return;
    case 'changed-question':
      askOtherwise(built, 'dependency_status', 'Dependency Status of your spouse');
      return;
    case 'unit-change':
      hintOtherwise(built, 'income_growth_rate', 'In dollars. The average is 2,500.');
      return;
    case 'rows-changed-question':
      changeRows(named('current_loans').row, drift);
      recordOtherwise(built, named('current_loans'));
      return;
    default:
      changeRows(named('current_loans').row, drift);
  }
}

function changeRows(row: RowForm | undefined, drift: Drift): void {
  if (!row) throw new Error('no rows');
  switch (drift) {
    case 'rows-renamed-id':
      row.rate.id = 'fsa_Input_LoanRate';
      return;
    case 'rows-changed-label':
      row.balance.label = 'What you still owe';
      return;
    case 'rows-new-required-field':
      row.more = { id: 'fsa_Input_LoanYear', label: 'Year of the loan' };
      return;
    case 'rows-look-alike':
      row.more = { id: row.balance.id, label: 'Original Balance' };
      row.balance.id = 'fsa_Input_LoanSimulatorUserAddedRemainingBalance';
      return;
    case 'rows-swapped-ids':
      [row.rate.id, row.balance.id] = [row.balance.id, row.rate.id];
      return;
    case 'rows-changed-question':
      row.title = 'Add a loan of your spouse';
      return;
    case 'rows-rounded':
      row.keep = (loans) =>
        loans.map((loan) => ({ ...loan, loan_interest_rate: Math.floor(loan.loan_interest_rate - 0.01) }));
      return;
    case 'rows-lost':
      row.keep = (loans) => loans.slice(-1);
      return;
    default:
      return;
  }
}

const loansOf = (answer: Answer | undefined): Loan[] => (Array.isArray(answer) ? answer : []);

export function simulateLoans(answers: Answers): Results {
  const loans = loansOf(answers['current_loans']);
  const borrowed = Number(answers['borrow_amount'] ?? 0);
  const balance = loans.reduce((sum, loan) => sum + loan.loan_balance, borrowed);
  const interest = loans.reduce((sum, loan) => sum + loan.loan_balance * loan.loan_interest_rate, borrowed * 5.5);
  const rate = interest / balance / 1200;
  const monthly = (balance * rate) / (1 - (1 + rate) ** -120);
  return {
    monthly_payment: Math.round(monthly),
    total_balance: balance,
    share_of_income: Math.round(
      (monthly * 12 * 100) / Math.max(1, Number(answers['expected_salary'] ?? 0)) -
        Number(answers['income_growth_rate'] ?? 5) / 10,
    ),
  };
}

function renderResults(results: Results): string {
  return resultList([
    ['fsa_Text_MonthlyPayment', 'Monthly payment', dollars(Number(results['monthly_payment']))],
    ['fsa_Text_TotalBalance', 'Total balance', dollars(Number(results['total_balance']))],
    ['fsa_Text_ShareOfIncome', 'Share of your income', `${results['share_of_income']} %`],
  ]);
}
