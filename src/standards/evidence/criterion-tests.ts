import { readProjectFile } from '../spec/project-file.ts';
import { grammarOf, type SourceParser } from '../testcode/grammars.ts';
import { inspectSource } from '../testcode/inspect-tests.ts';
import { type InspectedTest, isReportedAs } from '../testcode/inspected-test.ts';
import type { CriterionEvidence } from './acceptance-evidence.ts';
import { isCodeFile, isTestFile } from './code-files.ts';
import type { TestReportCase } from './test-reports.ts';

interface CodeSearch {
  root: string;
  /** All files of the project. */
  paths: readonly string[];
  /** Changed files, which are searched first. */
  changed: ReadonlySet<string>;
  parser: SourceParser;
  signal: AbortSignal;
}

const MAX_FILES = 5000;
const MAX_BYTES = 1024 * 1024;
const FILES_PER_SLICE = 200;

/**
 * Looks up the passing tests of each criterion in the source. A criterion counts as passed only if one of them is in a file
 * and asserts. Tests in languages without a parser count if their name is in a file.
 */
export async function checkCriterionTests(
  criteria: readonly CriterionEvidence[],
  search: CodeSearch,
): Promise<CriterionEvidence[]> {
  const texts = new TestTexts(search);
  const checked: CriterionEvidence[] = [];
  for (const criterion of criteria)
    checked.push(criterion.status === 'passed' ? await checkCriterion(criterion, texts) : criterion);
  return checked;
}

async function checkCriterion(criterion: CriterionEvidence, texts: TestTexts): Promise<CriterionEvidence> {
  let problem: string | undefined;
  for (const test of criterion.passed) {
    const found = await findProblem(test, texts);
    if (found === undefined) return criterion;
    problem ??= found;
  }
  return problem === undefined ? criterion : { ...criterion, status: 'unproven', problem };
}

/** Why a passing test proves nothing; undefined if it does. */
async function findProblem(test: TestReportCase, texts: TestTexts): Promise<string | undefined> {
  let weak: InspectedTest | undefined;
  let isInText = false;
  for await (const { path, text } of texts.candidates(test)) {
    const tests = await texts.inspect(path, text);
    const matching = tests?.filter((one) => isReportedAs(one, test.name)) ?? [];
    if (matching.some(({ verdict, isSkipped }) => verdict === 'asserts' && !isSkipped)) return undefined;
    weak ??= matching[0];
    // No parser, or a title that the program computes.
    if (matching.length === 0 && (tests === undefined || grammarOf(path) === undefined)) isInText = true;
  }
  if (weak) return `${weak.file}:${weak.line} ${weakness[weak.verdict]}`;
  return isInText ? undefined : `${JSON.stringify(test.name.slice(0, 200))} is in no test file`;
}

const weakness: Record<InspectedTest['verdict'], string> = {
  asserts: 'is skipped',
  empty: 'has no statements',
  no_assertion: 'asserts nothing',
  tautological: 'only compares constants',
};

/** The texts of code files, each read and parsed once. */
class TestTexts {
  readonly #search: CodeSearch;
  readonly #ordered: readonly string[];
  readonly #texts = new Map<string, string>();
  readonly #inspected = new Map<string, Promise<InspectedTest[] | undefined>>();

  constructor(search: CodeSearch) {
    this.#search = search;
    const code = search.paths.filter(isCodeFile);
    const rank = (path: string) => (isTestFile(path) ? 0 : 2) + (search.changed.has(path) ? 0 : 1);
    this.#ordered = code.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_FILES);
  }

  /** Files that may contain a test: the one that the report names, then those with a part of its name. */
  async *candidates({ name, file }: TestReportCase): AsyncGenerator<{ path: string; text: string }> {
    const words = searchWords(name);
    const named = this.#ordered.filter((path) => file !== undefined && (path === file || file.endsWith(`/${path}`)));
    for (const [index, path] of [...named, ...this.#ordered].entries()) {
      if (index % FILES_PER_SLICE === 0) this.#search.signal.throwIfAborted();
      const text = await this.#read(path);
      if (words.some((word) => text.includes(word)) || named.includes(path)) yield { path, text };
    }
  }

  inspect(path: string, text: string): Promise<InspectedTest[] | undefined> {
    const known = this.#inspected.get(path);
    if (known) return known;
    const inspected = inspectSource(this.#search.parser, path, text).then((source) => source?.tests);
    this.#inspected.set(path, inspected);
    return inspected;
  }

  async #read(path: string): Promise<string> {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const text = await readProjectFile(this.#search.root, path, { maxBytes: MAX_BYTES }).then(
      (file) => file.text,
      () => '',
    );
    this.#texts.set(path, text);
    return text;
  }
}

/** Parts of a reported name that its source contains: criterion ids and the end of the name. */
function searchWords(name: string): string[] {
  const title = name
    .slice(name.lastIndexOf(' > ') + 1)
    .replace(/^> /, '')
    .replace(/[[(].*$/, '')
    .trim();
  const last = title.split(/[/.]|::/).at(-1) ?? title;
  const ids = name.match(/\b[Aa]\d+\b|(?<=_)[Aa]\d+(?=_|$)|(?<=[Tt]est)A\d+/g) ?? [];
  return [...new Set([title, last, ...ids])].filter((word) => word.length > 1);
}
