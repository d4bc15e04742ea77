import { isTest } from '../../coverage/index.ts';

const codeEnding =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|pyi|go|rs|java|kts?|scala|groovy|rb|php|cs|fs|vb|c|h|cc|cpp|cxx|hh|hpp|m|mm|swift|dart|exs?|erl|hs|clj[cs]?|ml|mli|lua|pl|pm|r|jl|zig|nim|sol|sh|bash|ps1|sql)$/i;
/** What tools write, not people. */
const made =
  /(?:^|\/)(?:node_modules|coverage|reports?|test-results|dist|build|out|target|vendor|\.venv|venv|__pycache__|htmlcov|StrykerOutput)\//;

/** A file that people write code in. */
export function isCode(path: string): boolean {
  return codeEnding.test(path) && !made.test(path);
}

/** A file of tests, by the habits of many languages. */
export function isTestFile(path: string): boolean {
  return (
    isTest(path) ||
    /_(?:test|spec)\.[^/]+$|(?:^|\/)[^/]*Tests?\.(?:java|kt|cs|scala|swift|php)$|(?:^|\/)conftest\.py$/.test(path)
  );
}

/** Code that tests should run. */
export function isSource(path: string): boolean {
  return isCode(path) && !isTestFile(path);
}
