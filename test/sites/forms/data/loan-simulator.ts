import type { Loan } from '../definition.ts';
import { familyIncomes, loanTypes, programLengths, programTypes, simulateLoans } from '../loan-simulator.ts';
import { states } from '../states.ts';
import type { Random } from './random.ts';
import { type DataSet, dataSets } from './sets.ts';

export const loanSimulatorSets = (count: number): DataSet[] => dataSets(one, 3, count);

function one(random: Random): DataSet {
  const loans = Array.from({ length: random.whole(1, 4) }, () => loan(random));
  const [first] = loans;
  // Two loans may be the same to the letter, and are still two.
  if (first && random.chance(0.15)) loans.push({ ...first });
  const record = {
    program_timing: random.pick(['current', 'future']),
    program_type: random.pick(programTypes),
    program_length: random.pick(programLengths),
    dependency_status: random.pick(['dependent', 'independent']),
    ...(random.chance(0.6) && { school_location: random.pick(states) }),
    family_income: random.pick(familyIncomes),
    borrow_amount: random.whole(500, 120_000),
    expected_salary: random.whole(20_000, 150_000),
    ...(random.chance(0.5) && { income_growth_rate: random.whole(0, 12) }),
    current_loans: loans,
  };
  // People type a straight apostrophe as often as not.
  const spelled = random.chance(0.5)
    ? {
        program_type: record.program_type.replaceAll('’', "'"),
        family_income: record.family_income.replaceAll('’', "'"),
      }
    : {};
  return { data: { ...record, ...spelled }, record, results: simulateLoans(record) };
}

function loan(random: Random): Loan {
  return {
    loan_type: random.pick(loanTypes),
    loan_interest_rate: random.whole(10, 95) / 10,
    loan_balance: random.whole(500, 60_000),
  };
}
