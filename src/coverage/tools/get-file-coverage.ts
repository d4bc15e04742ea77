import * as z from 'zod';
import { untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { findSourceFiles } from '../paths/source-file-lookup.ts';
import { percent } from '../report/coverage-report.ts';
import { includeMeasures, readReportArguments, reportArguments } from './report-arguments.ts';
import { notInReport, percentOrNull } from './result-fields.ts';

const percentPerFileSchema = (what: string) =>
  z
    .record(untrustedName(z.string()), z.number().nullable())
    .optional()
    .describe(`${what} hit, in percent; null where there are none`);

export const getFileCoverage = defineTool({
  name: 'get_file_coverage',
  title: 'Test coverage of single files',
  description:
    'Test coverage of one or more source files, modules or classes, e.g. src/cart.ts, utils.js, app.py or Main.java: how well each file is tested, in percent. A file missing from the LCOV report counts as 0.',
  effect: 'read',
  scope: 'coverage:read',
  local: 'files',
  exact: true,
  longReply: { rest: 'Ask for fewer files in one call.' },
  input: z.object({
    ...reportArguments,
    filePaths: z.array(z.string()).max(10_000).describe('Paths of the source files, e.g. ["src/cart.js"]'),
    include: includeMeasures,
  }),
  output: z.object({
    files: z.record(untrustedName(z.string()), z.number()).describe('Line coverage in percent, by the requested paths'),
    notInReport: untrustedName(z.array(z.string()))
      .optional()
      .describe('Requested files that are missing from the report, because no test loads them'),
    branches: percentPerFileSchema('Branches'),
    functions: percentPerFileSchema('Functions'),
  }),
  async run(args, context) {
    const report = await readReportArguments(args, context);
    const found = await findSourceFiles(report, args.filePaths, context.signal);
    const byPath = <Value>(value: (index: number) => Value) =>
      Object.fromEntries(args.filePaths.map((path, index) => [path, value(index)]));
    const measure = (kind: 'branches' | 'functions') =>
      byPath((index) => percentOrNull(found[index]?.[kind] ?? { hit: 0, found: 0 }));
    return {
      files: byPath((index) => percent(found[index]?.lines.hit ?? 0, found[index]?.lines.found ?? 0)),
      ...notInReport(args.filePaths, found),
      ...(report.branches && { branches: measure('branches') }),
      ...(report.functions && { functions: measure('functions') }),
    };
  },
});
