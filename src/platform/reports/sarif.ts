import { cleanValue } from '../text/untrusted-result.ts';
import { version } from '../version.ts';

export type SarifLevel = 'error' | 'warning' | 'note';

export interface SarifRun {
  /** Tells runs of one kind apart from others: `standards/FEAT-0001/`. */
  id: string;
  rules: readonly Record<string, unknown>[];
  results: readonly Record<string, unknown>[];
  succeeded: boolean;
  notifications?: readonly Record<string, unknown>[];
  properties?: Record<string, unknown>;
}

/** A SARIF 2.1.0 log with one run of this program. */
export function buildSarifLog({
  id,
  rules,
  results,
  succeeded,
  notifications = [],
  properties = {},
}: SarifRun): string {
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Assay', semanticVersion: version, rules } },
        automationDetails: { id },
        invocations: [{ executionSuccessful: succeeded, toolExecutionNotifications: notifications }],
        columnKind: 'utf16CodeUnits',
        results,
        properties,
      },
    ],
  };
  return `${JSON.stringify(cleanValue(log), null, 1)}\n`;
}
