/**
 * Baseline for speed: the same forms filled in by hand-written Playwright scripts, with locators by id or label and no sleeps. The
 * tests of the sites use them too.
 */
import type { FrameLocator, Locator, Page } from 'playwright-core';

export type HandScript = (page: Page, url: string, data: Record<string, unknown>) => Promise<Record<string, string>>;

/** Clicks the label of a radio button whose input is not displayed. */
const card = (page: Page, id: string) => page.locator(`label[for="${id}"]`).click();

async function fillAll(page: Page, data: Record<string, unknown>, ids: Record<string, string>): Promise<void> {
  for (const [key, id] of Object.entries(ids))
    if (data[key] !== undefined) await page.locator(`#${id}`).fill(String(data[key]));
}

async function chooseState(page: Page, id: string, state: unknown): Promise<void> {
  await page.locator(`#${id}`).fill(String(state));
  await page
    .locator(`#${id}-list`)
    .getByRole('option', { name: String(state), exact: true })
    .click();
}

async function read(root: Page | FrameLocator, ids: Record<string, string>): Promise<Record<string, string>> {
  const texts = await Promise.all(
    Object.entries(ids).map(async ([key, id]) => [key, (await root.locator(`#${id}`).innerText()).trim()] as const),
  );
  return Object.fromEntries(texts);
}

const maritalCards: Record<string, string> = {
  unmarried: 'MaritalStatusUnmarried',
  married: 'MaritalStatusMarriedReMarried',
  separated: 'MaritalStatusSeparated',
};
const gradeCards: Record<string, string> = {
  freshman: 'CollegeLevelFreshman',
  sophomore: 'CollegeLevelSophomore',
  other_undergrad: 'CollegeLevelOther',
  graduate: 'CollegeLevelGraduate',
};
const parentCards: Record<string, string> = {
  married: 'ParenFamilyInfoMarried',
  unmarried: 'ParenFamilyInfoUnmarried',
  unmarried_together: 'ParenFamilyInfoUnmarriedTogether',
};
const circumstances: Record<string, string> = {
  active_duty: 'The student is on active duty or is a veteran',
  parents_deceased: 'The student’s parents are deceased',
  foster_care: 'The student was in foster care',
  emancipated: 'The student is an emancipated minor',
  homeless: 'The student is homeless or at risk of being homeless',
  personal_circumstances_none: 'None of these apply',
};
const yesNo = (value: unknown) => (value === 'yes' ? 'Yes' : 'No');

const aidEstimator: HandScript = async (page, url, data) => {
  const next = () => page.locator('#fsa_Button_FlowPrimary').click();
  await page.goto(`${url}/aid-estimator/`);
  await page.getByText('Start Estimate', { exact: true }).click();
  await fillAll(page, data, {
    birth_month: 'fsa_Input_DateOfBirthMonth',
    birth_day: 'fsa_Input_DateOfBirthDay',
    birth_year: 'fsa_Input_DateOfBirthYear',
  });
  await card(page, `fsa_Radio_${maritalCards[String(data['marital_status'])]}`);
  await chooseState(page, 'fsa_Typeahead_StateOfResidence', data['state']);
  await card(page, `fsa_Radio_${gradeCards[String(data['grade_level'])]}`);
  await next();
  await card(page, `fsa_Radio_HaveDependents${yesNo(data['has_dependents'])}`);
  for (const [key, text] of Object.entries(circumstances))
    if (data[key]) await page.getByText(text, { exact: true }).click();
  await next();
  await card(page, `fsa_Radio_parentMaritalInformation-question1-${data['parents_married']}`);
  await next();
  await card(page, `fsa_Radio_${parentCards[String(data['parent_marital_status'])]}`);
  await chooseState(page, 'fsa_Typeahead_States', data['parent_state']);
  await next();
  await fillAll(page, data, { family_size: 'fsa_Input_NumInHousehold' });
  await next();
  await card(page, `fsa_Radio_FamilySizeChange${yesNo(data['parent_filed_taxes'])}`);
  await fillAll(page, data, {
    parent_income: 'fsa_Input_ParentIncome',
    parent_assets: 'fsa_Input_ParentAssets',
    parent_child_support: 'fsa_Input_ParentChildSupport',
  });
  await next();
  await card(page, `fsa_Radio_StudentFiled${yesNo(data['student_filed_taxes'])}`);
  await fillAll(page, data, { student_income: 'fsa_Input_StudentIncome', student_assets: 'fsa_Input_StudentAssets' });
  await next();
  return read(page, {
    student_aid_index: 'fsa_Text_SaiValue',
    federal_pell_grant_estimate: 'fsa_Text_PellValue',
    eligibility: 'fsa_Text_Eligibility',
  });
};

interface LoanData {
  loan_type: string;
  loan_interest_rate: number;
  loan_balance: number;
}

const loanSimulator: HandScript = async (page, url, data) => {
  const next = () => page.locator('#fsa_Button_WizardContinue').click();
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  // The options have typographic apostrophes.
  const select = (id: string, key: string) =>
    page.locator(`#${id}`).selectOption({ label: String(data[key]).replaceAll("'", '’') });
  await page.goto(`${url}/loan-simulator/`);
  await page.locator('#fsa_LinkButton_LoanSimulatorLandingRepayStrategyStartUnauth3').click();
  await card(
    page,
    data['program_timing'] === 'current' ? 'fsa_Radio_WizardCurrentProgram' : 'fsa_Radio_WizardFutureProgram',
  );
  await next();
  await heading('Tell us about your program');
  await select('fsa_Select_LoanSimulatorBorrowMoreWizardProgramInfoProgramType', 'program_type');
  await select('fsa_Select_LoanSimulatorBorrowMoreWizardProgramInfoProgramLength', 'program_length');
  const dependent = data['dependency_status'] === 'dependent' ? 'Dependent' : 'Independent';
  await card(page, `fsa_Radio_LoanSimulator${dependent}Status`);
  if (data['school_location'])
    await chooseState(page, 'fsa_Typeahead_LoanSimulatorBorrowMoreWizardIncomeSchoolState', data['school_location']);
  await next();
  await heading('Family Income');
  await select('fsa_Select_BorrowMoreFamilyIncome', 'family_income');
  await next();
  await heading('Program Cost');
  await fillAll(page, data, { borrow_amount: 'fsa_Input_BorrowAmount' });
  await next();
  await heading('Income Information');
  await fillAll(page, data, {
    expected_salary: 'fsa_Input_YearlySalary',
    income_growth_rate: 'fsa_Input_IncomeGrowth',
  });
  await next();
  await heading('Confirm Current Loan Situation');
  for (const [index, loan] of loansOf(data).entries()) {
    await page.getByRole('button', { name: 'Add a Loan' }).click();
    await page.getByLabel('Loan Type').selectOption({ label: loan.loan_type });
    await page.getByLabel('Interest Rate').fill(String(loan.loan_interest_rate));
    await page.getByLabel('Principal Balance').fill(String(loan.loan_balance));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator(`#fsa_Button_LoanSimulatorAddLoanRemove_${index}`).waitFor();
  }
  await next();
  await heading('Your Repayment Estimate');
  return read(page, {
    monthly_payment: 'fsa_Text_MonthlyPayment',
    total_balance: 'fsa_Text_TotalBalance',
    share_of_income: 'fsa_Text_ShareOfIncome',
  });
};

function loansOf(data: Record<string, unknown>): LoanData[] {
  const loans = data['current_loans'];
  return Array.isArray(loans) ? loans : [];
}

const benefitCalculator: HandScript = async (page, url, data) => {
  await page.goto(`${url}/OACT/quickcalc/`);
  await fillAll(page, data, {
    birth_month: 'month',
    birth_day: 'day',
    birth_year: 'year',
    current_earnings: 'earnings',
    last_year_worked: 'lastyear',
    last_year_earnings: 'lastearnings',
    retirement_month: 'retiremonth',
    retirement_year: 'retireyear',
  });
  await page.locator(`#${data['dollar_type']}`).check();
  await page.getByRole('button', { name: 'Submit request' }).click();
  return read(page, { monthly_benefit: 'est_result', retirement_age: 'est_age' });
};

const fuels: Record<string, string> = {
  oil: 'Oil',
  gas: 'Natural gas',
  wood: 'Wood or pellets',
  electric: 'Electricity',
};

const heatingHelp: HandScript = async (page, url, data) => {
  const fill = (label: string, value: unknown) => page.getByLabel(label, { exact: true }).fill(String(value));
  await page.goto(`${url}/heating/apply`);
  await fill('Full name', data['full_name']);
  await fill('Email address', data['email']);
  await fill('People in your household', data['household_size']);
  await fill('Monthly household income', data['monthly_income']);
  await page.getByLabel('County').selectOption({ label: String(data['county']) });
  await page.getByRole('radio', { name: fuels[String(data['fuel'])] ?? '', exact: true }).check();
  // The form is rendered again after a change, so `check` could lose its element; a click is enough.
  if (data['over_sixty']) await page.getByLabel('Somebody in the household is over 60').click();
  if (data['remarks']) await fill('Anything else we should know', data['remarks']);
  await page.getByRole('button', { name: 'Send application' }).click();
  return read(page, { grant: 'grant', reference: 'reference' });
};

const foodBenefits: HandScript = async (page, url, data) => {
  await page.goto(`${url}/`);
  const frame = page.frameLocator('#application-frame');
  const fill = (locator: Locator, value: unknown) => locator.fill(String(value));
  await fill(frame.locator('#zip-code'), data['zip_code']);
  await fill(frame.locator('#adults'), data['adults']);
  await fill(frame.locator('#children'), data['children']);
  await frame.locator(`#citizen-${data['citizen']}`).check();
  await frame.getByRole('button', { name: 'Next' }).click();
  await fill(frame.locator('#earned-income'), data['earned_income']);
  await fill(frame.locator('#other-income'), data['other_income']);
  await fill(frame.locator('#rent'), data['rent']);
  if (data['heating_bill']) await frame.getByText('We pay for heating or cooling').click();
  await frame.getByRole('button', { name: 'See my result' }).click();
  return read(frame, { monthly_benefit: 'benefit', office: 'office' });
};

export const handScripts = {
  'aid-estimator': aidEstimator,
  'loan-simulator': loanSimulator,
  'benefit-calculator': benefitCalculator,
  'heating-help': heatingHelp,
  'food-benefits': foodBenefits,
} satisfies Record<string, HandScript>;
