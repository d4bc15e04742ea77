export { createEvidenceKeys } from './attestation/evidence-keys.ts';
export { evaluateForCi } from './ci/evaluate-for-ci.ts';
export { runTestsForCi } from './ci/run-tests-for-ci.ts';
export { formatWeakening } from './evaluation/weakening-gate.ts';
export { approveWeakenings } from './integrity/approve-weakenings.ts';
export { standardsSettings } from './settings.ts';
