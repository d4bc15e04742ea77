export { evaluateForCi } from './ci/evaluate-for-ci.ts';
