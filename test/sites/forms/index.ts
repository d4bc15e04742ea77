import { aidEstimatorDrifts, startAidEstimator } from './aid-estimator.ts';
import { benefitCalculatorDrifts, startBenefitCalculator } from './benefit-calculator.ts';
import { aidEstimatorSets } from './data/aid-estimator.ts';
import { benefitCalculatorSets } from './data/benefit-calculator.ts';
import { foodBenefitsSets } from './data/food-benefits.ts';
import { heatingHelpSets } from './data/heating-help.ts';
import { loanSimulatorSets } from './data/loan-simulator.ts';
import type { DataSet } from './data/sets.ts';
import type { Drift } from './definition.ts';
import { foodBenefitsDrifts, startFoodBenefits } from './food-benefits.ts';
import { heatingHelpDrifts, startHeatingHelp } from './heating-help.ts';
import { loanSimulatorDrifts, startLoanSimulator } from './loan-simulator.ts';
import type { FormSite, SiteOptions } from './server.ts';

export interface Fixture {
  start(options?: SiteOptions): Promise<FormSite>;
  /** The ways in which this site can have changed. */
  drifts: readonly Drift[];
  sets(count: number): DataSet[];
}

export const fixtures = {
  'aid-estimator': { start: startAidEstimator, drifts: aidEstimatorDrifts, sets: aidEstimatorSets },
  'loan-simulator': { start: startLoanSimulator, drifts: loanSimulatorDrifts, sets: loanSimulatorSets },
  'benefit-calculator': { start: startBenefitCalculator, drifts: benefitCalculatorDrifts, sets: benefitCalculatorSets },
  'heating-help': { start: startHeatingHelp, drifts: heatingHelpDrifts, sets: heatingHelpSets },
  'food-benefits': { start: startFoodBenefits, drifts: foodBenefitsDrifts, sets: foodBenefitsSets },
} satisfies Record<string, Fixture>;

export type FixtureName = keyof typeof fixtures;
export const fixtureNames: readonly FixtureName[] = [
  'aid-estimator',
  'loan-simulator',
  'benefit-calculator',
  'heating-help',
  'food-benefits',
];
