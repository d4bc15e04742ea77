/** What each tool prints for its report, as `hit/found`; undefined where it does not count that. */
export const producerTotals = [
  { report: 'coverage-py.xml', lines: '7/13', branches: '3/8', functions: undefined },
  { report: 'coverage-py.lcov', lines: '7/13', branches: '3/8', functions: undefined },
  { report: 'jacoco.xml', lines: '7/13', branches: '4/10', functions: '3/6' },
  { report: 'c8.json', lines: '13/15', branches: '3/4', functions: '2/4' },
  { report: 'istanbul.json', lines: '5/9', branches: '4/7', functions: '2/6' },
] as const;
