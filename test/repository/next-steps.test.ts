import { describe, expect, test } from 'vitest';
import { accessibilityDefinitions } from '../../src/accessibility/definitions.ts';
import { coverageDefinitions } from '../../src/coverage/definitions.ts';
import { Failure } from '../../src/platform/errors.ts';
import { qaDefinitions } from '../../src/qa/definitions.ts';
import { standardsDefinitions } from '../../src/standards/definitions.ts';
import { wizardsDefinitions } from '../../src/wizards/definitions.ts';
import { type FailureSite, findFailureSites } from '../support/source-code/failure-sites.ts';

const definitions = [
  coverageDefinitions,
  standardsDefinitions,
  accessibilityDefinitions,
  wizardsDefinitions,
  qaDefinitions,
];

/** Not errors of a call: rows in the results of a scan, and the command line without a tool. */
const outsideOfCalls = /^src\/(?:accessibility\/engine|commands)\/|^src\/main\.ts$/;

/**
 * Their message ends with the `fix` that each problem must have, their codes are typed as known to every toolset, or they
 * pass on a failure that is made elsewhere.
 */
const checkedElsewhere = [
  'src/platform/environment-failure.ts',
  'src/platform/store/postgres.ts',
  'src/platform/artifacts/s3-client.ts',
  'src/platform/page/act/action-failure.ts',
  'src/coverage/store/report-limits.ts',
  'src/qa/prd/read-in-process.ts',
  'src/tool/call-tool.ts',
];

const verbs =
  'add|ask|call|check|choose|close|commit|correct|create|delete|fetch|fill|fix|free|generate|give|install|leave|list|look|lower|make|merge|name|omit|open|pass|poll|raise|read|remove|repeat|replace|report|restore|run|save|scan|select|send|set|shorten|split|start|take|try|unset|upgrade|upload|use|wait|write|change|derive|detect|rename|did you mean';
/** A clause in the imperative, or the rule that a value must follow. */
const saysWhatToDo = new RegExp(
  `(?:^|[.;:,!)\\n] |[.;:,] (?:or|and|then) |if you do, |first )(?:${verbs})\\b|\\bmust\\b`,
  'i',
);

const sites = findFailureSites(['src']).filter(
  ({ file }) => !outsideOfCalls.test(file) && !checkedElsewhere.includes(file),
);

/** The toolsets whose tools can throw a failure of a file. */
function toolsetsOf({ file }: FailureSite) {
  const own = definitions.filter(({ name }) => file.startsWith(`src/${name}/`));
  return own.length > 0 ? own : definitions;
}

function presented(toolset: (typeof definitions)[number], code: string) {
  const failure = new Failure('bad_input', code, 'Something happened.');
  return toolset.presentError(failure, toolset.tools[0]?.name ?? '');
}

const defaultAction = 'Correct the call as the error says, then try again.';
const hasStepForCode = (code: string) => (toolset: (typeof definitions)[number]) => {
  const { text, hint = '' } = presented(toolset, code);
  return saysWhatToDo.test(`${text} ${hint}`.replace(defaultAction, '').replaceAll('"', ' . '));
};

test('every failure of every tool names the next step', () => {
  const silent = sites.filter(
    (site) => !site.hasHint && !saysWhatToDo.test(site.message) && !toolsetsOf(site).every(hasStepForCode(site.code)),
  );
  expect(silent.map(({ where, code, message }) => `${where} ${code}: ${message}`)).toEqual([]);
});

test('finds the failures of every toolset, also those made by a function of it', () => {
  const count = (folder: string) => sites.filter(({ file }) => file.startsWith(`src/${folder}/`)).length;
  for (const folder of ['coverage', 'standards', 'accessibility', 'wizards', 'qa', 'platform'])
    expect(count(folder), folder).toBeGreaterThan(15);
  expect(sites.map(({ code }) => code)).toContain('invalid_page_metadata');
});

describe.each(definitions)('the errors of $name', (toolset) => {
  const codes = [...new Set(sites.filter((site) => toolsetsOf(site).includes(toolset)).map(({ code }) => code))];

  test.each(codes)('show the next step of %s in the text and in the structured content', (code) => {
    const step = 'Call this tool next.';
    const failure = new Failure('bad_input', code, 'Something happened.', { hint: step });
    for (const { name } of toolset.tools) {
      const { text, hint, structured } = toolset.presentError(failure, name);
      expect([text, hint].join('\n')).toContain(step);
      expect(JSON.stringify(structured)).toContain(step);
    }
  });
});
