import * as z from 'zod';
import { isInRecordedRun } from '../../platform/process/test-environment.ts';
import { type SettingValues, settings } from '../../platform/settings.ts';
import { createEvidenceKeys, evaluateForCi, runTestsForCi } from '../../standards/index.ts';
import { printStdout } from '../command.ts';
import { appendJobSummary, type CiAnnotation, printAnnotations, toLogLine, writeOutputFile } from './ci-output.ts';
import { ciSettings } from './ci-settings.ts';

const EVALUATION_MS = 60_000;

/** Evaluates the standards of the project in the working directory. A project without a spec is bad usage. */
export async function checkStandards(values: SettingValues, signal: AbortSignal): Promise<number> {
  const specFile = values.get(ciSettings.spec);
  const keys = createEvidenceKeys(values.get(settings.home), (setting) => values.get(setting));
  if (values.get(ciSettings.run) && !isInRecordedRun()) await printTestRun(keys, signal);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(EVALUATION_MS)]);
  const given = { cwd: process.cwd(), specFile, signal: limit, keys };
  const { verdict, verdictText, markdown, sarif } = await evaluateForCi(given);
  const [sarifFile, summaryFile] = [values.get(ciSettings.sarif), values.get(ciSettings.summary)];
  if (sarifFile !== undefined) await writeOutputFile(sarifFile, sarif);
  if (summaryFile !== undefined) await writeOutputFile(summaryFile, markdown);
  const notes = readAnnotations(sarif);
  for (const { level, title, message, file, line } of notes)
    await printStdout(
      toLogLine(
        `${level}: ${file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `}${message} (${title})`,
      ),
    );
  await printStdout(`Standards: ${verdictText}${formatCounts(notes)}.`);
  await printAnnotations(notes);
  await appendJobSummary(markdown);
  return verdict === 'passed' ? 0 : 1;
}

/** Runs the declared test command, if there is one. Its failures are in its reports, so they decide nothing here. */
async function printTestRun(keys: Parameters<typeof runTestsForCi>[0]['keys'], signal: AbortSignal): Promise<void> {
  const lines = await runTestsForCi({ cwd: process.cwd(), keys, signal });
  for (const line of lines) await printStdout(toLogLine(line));
}

/** ` (1 error, 2 warnings)` */
function formatCounts(notes: readonly CiAnnotation[]): string {
  const counts = (['error', 'warning'] as const).flatMap((level) => {
    const count = notes.filter((note) => note.level === level).length;
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? '' : 's'}`];
  });
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

const findings = z.object({
  runs: z.array(
    z.object({
      results: z.array(
        z.object({
          ruleId: z.string(),
          level: z.string().default('warning'),
          message: z.object({ text: z.string() }),
          locations: z
            .array(
              z.object({
                physicalLocation: z.object({
                  artifactLocation: z.object({ uri: z.string() }),
                  region: z.object({ startLine: z.number() }).optional(),
                }),
              }),
            )
            .default([]),
        }),
      ),
    }),
  ),
});

function readAnnotations(sarif: string): CiAnnotation[] {
  return findings.parse(JSON.parse(sarif)).runs.flatMap(({ results }) =>
    results
      .filter(({ level }) => level !== 'note')
      .map(({ ruleId, level, message, locations: [location] }) => ({
        level: level === 'error' ? 'error' : 'warning',
        title: ruleId,
        message: message.text,
        file: location?.physicalLocation.artifactLocation.uri,
        line: location?.physicalLocation.region?.startLine,
      })),
  );
}
