import { isTestPath } from '../../coverage/index.ts';

const codeExtension =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|pyi|go|rs|java|kts?|scala|groovy|rb|php|cs|fs|vb|c|h|cc|cpp|cxx|hh|hpp|m|mm|swift|dart|exs?|erl|hs|clj[cs]?|ml|mli|lua|pl|pm|r|jl|zig|nim|sol|sh|bash|ps1|sql)$/i;
/** Names of files with tests beyond those that coverage knows. */
const testFiles: readonly { language: string; path: RegExp }[] = [
  { language: 'Go, Ruby', path: /_(?:test|spec)\.[^/]+$/ },
  { language: 'Java, Kotlin, C#, Scala, Swift, PHP', path: /(?:^|\/)[^/]*Tests?\.(?:java|kt|cs|scala|swift|php)$/ },
  { language: 'Python', path: /(?:^|\/)conftest\.py$/ },
];
/** Folders that tools generate. */
const generatedFolder =
  /(?:^|\/)(?:node_modules|coverage|reports?|test-results|dist|build|out|target|vendor|\.venv|venv|__pycache__|htmlcov|StrykerOutput)\//;

/** Whether a file contains hand-written code. */
export function isCodeFile(path: string): boolean {
  return codeExtension.test(path) && !generatedFolder.test(path);
}

/** Whether a file contains tests, by the naming conventions of many languages. */
export function isTestFile(path: string): boolean {
  return isTestPath(path) || testFiles.some(({ path: convention }) => convention.test(path));
}

/** The monorepo package of a file, or the empty string for the whole project. */
export function packageFolder(path: string): string {
  return /^(?:packages|apps|crates|services|modules)\/[^/]+/.exec(path)?.[0] ?? '';
}

/** Whether a file contains code that tests should run. */
export function isSourceFile(path: string): boolean {
  return isCodeFile(path) && !isTestFile(path);
}

/** The name of a file without folder, extension and test suffix. */
export function testStem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return name
    .replace(/^test_/, '')
    .replace(/(?:[._-](?:test|spec|e2e)|Tests?)$/, '')
    .toLowerCase();
}
