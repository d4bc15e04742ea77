import { createLcovScanner } from '../lcov/lcov-scanner.ts';
import type { CoverageStore, ReportScanner } from '../store/coverage-store.ts';
import { createCoberturaReader } from './cobertura.ts';
import { findGoModules } from './go-modules.ts';
import { createGoProfileScanner } from './go-profile.ts';
import { createIstanbulScanner } from './istanbul.ts';
import { createJacocoReader } from './jacoco.ts';
import { detectReportFormat } from './report-format.ts';
import { createXmlScanner } from './xml-scanner.ts';

interface ReportFolders {
  /** Of the report; normalized and real, like `cwd`. */
  reportFolder: string;
  cwd: string;
}

/** Creates the scanner for the format that the first bytes of a report show. */
export async function createReportScanner(
  sample: string,
  store: CoverageStore,
  { reportFolder, cwd }: ReportFolders,
): Promise<ReportScanner> {
  switch (detectReportFormat(sample)) {
    case 'LCOV':
      return createLcovScanner(store);
    case 'Cobertura':
      return createXmlScanner('Cobertura', 'coverage', createCoberturaReader(store));
    case 'JaCoCo':
      return createXmlScanner('JaCoCo', 'report', createJacocoReader(store));
    case 'Go':
      return createGoProfileScanner(store, await findGoModules(reportFolder, cwd));
    case 'Istanbul':
      return createIstanbulScanner(store);
  }
}
