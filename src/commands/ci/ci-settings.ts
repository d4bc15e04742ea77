import { Failure, quote } from '../../platform/errors.ts';
import { parseSwitch } from '../../platform/setting-parsers.ts';
import { type Setting, settings } from '../../platform/settings.ts';

const text = (flag: string, env: string, placeholder: string, help: string): Setting<string | undefined> => ({
  flag,
  env,
  placeholder,
  help,
  // Pipelines pass undefined variables as empty strings.
  parse: (raw) => raw?.trim() || undefined,
});

function address(raw: string | undefined, where: string): URL | undefined {
  const trimmed = raw?.trim();
  if (!trimmed) return undefined;
  const url = URL.parse(trimmed);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Failure('configuration', 'BAD_SETTING', `${where} must be an http or https URL, got ${quote(trimmed)}.`);
}

/** The variable that a server reads too, with a help text for its client. */
const token: Setting<string | undefined> = {
  env: settings.token.env,
  secret: true,
  help: 'qa: bearer token for the server of --server; it needs the scope qa:write.',
  parse(raw, where) {
    // Pipeline secrets often end in a line break. The message must not contain the value.
    const trimmed = raw?.trim();
    if (!trimmed) return undefined;
    if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
    throw new Failure('configuration', 'BAD_SETTING', `${where} must be one line of printable ASCII characters.`);
  },
};

/** The settings of `assay ci`. Most can come from the environment, where pipelines keep their variables. */
export const ciSettings = {
  project: text('project', 'ASSAY_PROJECT', 'id', 'qa: id of the project whose scripts are replayed.'),
  baseUrl: {
    flag: 'base-url',
    env: 'ASSAY_BASE_URL',
    placeholder: 'url',
    help: 'qa: test the site at this URL instead of the URL in the scripts; an empty value counts as none.',
    parse: address,
  },
  scripts: {
    flag: 'scripts',
    env: '',
    placeholder: 'a,b',
    help: 'qa: ids of the scripts to run.',
    fallback: 'all active scripts',
    parse: settings.tools.parse,
  },
  threshold: {
    flag: 'threshold',
    env: 'ASSAY_THRESHOLD',
    placeholder: 'percent',
    help: 'qa: minimum pass rate in percent.',
    fallback: '100',
    parse(raw, where): number {
      const percent = Number(raw?.trim() || '100');
      if (percent >= 0 && percent <= 100) return percent;
      throw new Failure(
        'configuration',
        'BAD_SETTING',
        `${where} must be a percentage from 0 to 100, got ${quote(raw)}.`,
      );
    },
  },
  junit: text('junit', '', 'file', 'qa: file for the results as JUnit XML.'),
  html: text('html', '', 'file', 'qa: file for the HTML report.'),
  server: {
    flag: 'server',
    env: 'ASSAY_SERVER',
    placeholder: 'url',
    help: 'qa: URL of the Assay server with the project (https://…/mcp).',
    fallback: 'a server for the local data folder',
    parse: address,
  },
  token,
  spec: text('spec', '', 'file', 'standards: file of the working spec.'),
  run: {
    flag: 'run',
    env: '',
    help: 'standards: run the declared test command first and record it; --no-run evaluates the reports that are there.',
    fallback: 'on',
    parse: (raw, where): boolean => raw === undefined || parseSwitch(raw, where),
  },
  sarif: text('sarif', '', 'file', 'standards: file for the findings as SARIF.'),
  summary: text('summary', '', 'file', 'standards: file for the Markdown summary.'),
} satisfies Record<string, Setting<unknown>>;
