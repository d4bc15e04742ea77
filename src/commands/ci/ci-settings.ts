import { Failure, quote } from '../../platform/errors.ts';
import { type Setting, settings } from '../../platform/settings.ts';

const text = (flag: string, env: string, placeholder: string, help: string): Setting<string | undefined> => ({
  flag,
  env,
  placeholder,
  help,
  // What a pipeline hands on without a value is not given.
  parse: (raw) => raw?.trim() || undefined,
});

function address(raw: string | undefined, where: string): URL | undefined {
  const given = raw?.trim();
  if (!given) return undefined;
  const url = URL.parse(given);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Failure('configuration', 'BAD_SETTING', `${where} must be an http or https address, got ${quote(given)}.`);
}

/** The same variable that a server reads, in the words of whoever calls one. */
const token: Setting<string | undefined> = {
  env: settings.token.env,
  secret: true,
  help: 'qa: the token that opens the server of --server; it needs the scope qa:write.',
  parse(raw, where) {
    // Secrets of pipelines often end in a line break. The value is never repeated.
    const given = raw?.trim();
    if (!given) return undefined;
    if (/^[\x21-\x7e]+$/.test(given)) return given;
    throw new Failure('configuration', 'BAD_SETTING', `${where} must be a token: one line of plain characters.`);
  },
};

/** What `assay ci` is told. Most of it may come by the environment, where pipelines keep their variables. */
export const ciSettings = {
  project: text('project', 'ASSAY_PROJECT', 'id', 'qa: the project whose scripts are replayed.'),
  baseUrl: {
    flag: 'base-url',
    env: 'ASSAY_BASE_URL',
    placeholder: 'url',
    help: 'qa: test this place of the site instead of the scripts’ own; blank counts as none.',
    parse: address,
  },
  scripts: {
    flag: 'scripts',
    env: '',
    placeholder: 'a,b',
    help: 'qa: only these scripts, by id.',
    fallback: 'all active ones',
    parse: settings.tools.parse,
  },
  threshold: {
    flag: 'threshold',
    env: 'ASSAY_THRESHOLD',
    placeholder: 'percent',
    help: 'qa: the pass rate that is enough.',
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
  junit: text('junit', '', 'file', 'qa: where to write the results as JUnit XML.'),
  html: text('html', '', 'file', 'qa: where to write the report for people.'),
  server: {
    flag: 'server',
    env: 'ASSAY_SERVER',
    placeholder: 'url',
    help: 'qa: the Assay server that has the project (https://…/mcp).',
    fallback: 'the home folder of this machine',
    parse: address,
  },
  token,
  spec: text('spec', '', 'file', 'standards: the working spec.'),
  sarif: text('sarif', '', 'file', 'standards: where to write the findings as SARIF.'),
  summary: text('summary', '', 'file', 'standards: where to write the Markdown summary.'),
} satisfies Record<string, Setting<unknown>>;
