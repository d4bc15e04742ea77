export { type CiEvaluation, evaluateForCi } from './ci/evaluate-for-ci.ts';
