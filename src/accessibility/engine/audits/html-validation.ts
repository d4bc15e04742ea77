import type { HtmlValidate } from 'html-validate';
import type { PluginSettings } from '../config.ts';
import type { Row } from '../csv.ts';
import { type Audit, cleanRow, firstCharacters, inOrder, issueRow, standardColumns } from './audit.ts';
import { issueId } from './issue-id.ts';

const TYPE = 'HtmlValidationAudit';
/** Larger than this is a data dump; validating it would stop everything else for seconds. */
const LARGEST_SOURCE = 3_000_000;

export interface HtmlFault {
  rule: string;
  message: string;
  selector: string;
  helpUrl: string;
  line: number;
  column: number;
  severe: boolean;
}

/** Validates the HTML as it was served, once for each page. */
export const htmlValidation: Audit = {
  name: 'html_validation',
  once: true,
  async run(sight, settings) {
    const source = await sight.source();
    if (source === undefined) return { rows: {}, issues: 0, partial: ['the served HTML was not at hand to validate'] };
    if (source.length > LARGEST_SOURCE) {
      return { rows: {}, issues: 0, partial: ['the served HTML is too large to validate'] };
    }
    const faults = await validate(source, settings.preset);
    const lines = source.split('\n');
    const standard = standardColumns(sight);
    const rows = faults.map((fault): Row => {
      const html = firstCharacters((lines[fault.line - 1] ?? '').slice(fault.column - 1).trim(), 100);
      const columns = issueRow(standard, {
        audit_type: TYPE,
        issue_id: issueId(sight.siteUrl, fault.rule, `${fault.selector}${html}`, sight.view),
        description: fault.message,
        target: fault.selector,
        num_issues: 1,
        help: fault.severe ? 'error' : 'warning',
        helpUrl: fault.helpUrl,
        id: fault.rule,
        impact: '',
        html,
        tags: '[]',
        bestPractice: false,
      });
      return { ...columns, line: fault.line, column: fault.column };
    });
    const clean = { ...cleanRow(standard, TYPE), line: '', column: '' };
    return { rows: { html_validation: rows.length > 0 ? rows : [clean] }, issues: rows.length };
  },
};

type Preset = NonNullable<PluginSettings['preset']>;

const validators = new Map<Preset, Promise<HtmlValidate>>();

async function validatorFor(preset: Preset): Promise<HtmlValidate> {
  const { HtmlValidate, StaticConfigLoader } = await import('html-validate');
  return new HtmlValidate(new StaticConfigLoader({ root: true, extends: [`html-validate:${preset}`] }));
}

export async function validate(source: string, preset: Preset = 'standard'): Promise<HtmlFault[]> {
  const validator = validators.get(preset) ?? validatorFor(preset);
  validators.set(preset, validator);
  const report = await (await validator).validateString(source);
  return report.results
    .flatMap(({ messages }) => messages)
    .map((message) => ({
      rule: message.ruleId,
      message: message.message,
      selector: message.selector ?? '',
      helpUrl: message.ruleUrl ?? '',
      line: message.line,
      column: message.column,
      severe: message.severity === 2,
    }))
    .toSorted((a, b) => inOrder(a.rule, b.rule) || a.line - b.line || a.column - b.column);
}
