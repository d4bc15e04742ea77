/** A test as its source shows it. */
export interface InspectedTest {
  file: string;
  /** First line, from 1. */
  line: number;
  /** The titles of its suites, or its class. */
  suites: readonly string[];
  /** Its title or the name of its function. A computed part is `*`. */
  title: string;
  /** Other names under which reports may list it. */
  aliases: readonly string[];
  /** Skipped, disabled or only planned. */
  isSkipped: boolean;
  /** It makes the runner ignore the other tests. */
  isFocused: boolean;
  /** It runs once for each row of a table. */
  isParameterized: boolean;
  /**
   * `asserts`: at least one assertion depends on more than literals and can fail. `tautological`: all assertions compare
   * literals or a value with itself. `empty`: the body has no statement.
   */
  verdict: 'asserts' | 'tautological' | 'no_assertion' | 'empty';
  /** Assertions that can fail. */
  assertions: number;
  /** Of these, the ones that only look whether there is a value. */
  presenceChecks: number;
  /** Names that the body uses. */
  names: ReadonlySet<string>;
}

/** Suites and title as one line. */
export function fullTitle({ suites, title }: InspectedTest): string {
  return [...suites, title].join(' > ');
}

/** Whether a report means this test by a name. Reports put suites, classes and files before the title and parameters after it. */
export function isReportedAs(test: InspectedTest, reported: string): boolean {
  return [test.title, ...test.aliases].some((title) => titlePattern(title).test(reported));
}

const MAX_PATTERN = 1000;

function titlePattern(title: string): RegExp {
  const parts = title.slice(0, MAX_PATTERN).split('*').map(escapePattern);
  // Pytest and JUnit append parameters: `test_sum[1-2]`, `adds(int)[1]`.
  return new RegExp(`(?:^|[\\s>:./#])${parts.join('.*')}(?:\\s*\\[[^\\]]*\\]|\\(.*\\)(?:\\[.*\\])?)?$`, 's');
}

const escapePattern = (text: string) => text.replace(/[\\^$.|?*+()[\]{}/-]/g, '\\$&');

/** The share of names that two tests have in common, from 0 to 1. A renamed or moved test keeps most of its names. */
export function similarityOf(a: InspectedTest, b: InspectedTest): number {
  if (a.names.size + b.names.size === 0) return a.title === b.title ? 1 : 0;
  let shared = 0;
  for (const name of a.names) if (b.names.has(name)) shared++;
  return (2 * shared) / (a.names.size + b.names.size);
}
