import { parseArgs } from 'node:util';
import { Failure, quote } from './errors.ts';
import { type LogLevel, logLevels } from './log.ts';

/** One row of the table that makes the parser, the help and the docs. Flags win over the environment. */
export interface Setting<Value> {
  /** None for what must not stand in a process list. */
  flag?: string;
  env: string;
  /** What stands after the flag in the help; none for a switch. */
  placeholder?: string;
  help: string;
  /** The default, as the help says it. */
  fallback?: string;
  parse(raw: string | undefined, where: string): Value;
}

const list = (flag: string, env: string, placeholder: string, help: string): Setting<string[] | undefined> => ({
  flag,
  env,
  placeholder,
  help,
  parse: (raw) =>
    raw
      ?.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
});

export const settings = {
  toolsets: list('toolsets', 'ASSAY_TOOLSETS', 'a,b', 'Serve only these toolsets ("all" for every one).'),
  tools: list('tools', 'ASSAY_TOOLS', 'a,b', 'Serve these single tools, beside --toolsets or alone.'),
  excludeTools: list(
    'exclude-tools',
    'ASSAY_EXCLUDE_TOOLS',
    'a,b',
    'Never serve these tools, whatever else is chosen.',
  ),
  readOnly: {
    flag: 'read-only',
    env: 'ASSAY_READ_ONLY',
    help: 'Serve only tools that change nothing, whatever else is chosen.',
    parse: parseSwitch,
  },
  logLevel: {
    flag: 'log-level',
    env: 'ASSAY_LOG_LEVEL',
    placeholder: 'level',
    help: `How much to log on stderr: ${logLevels.join(', ')}.`,
    fallback: 'warn',
    parse(raw, where): LogLevel {
      const level = logLevels.find((known) => known === (raw ?? 'warn'));
      return level ?? refuse(where, raw, `one of ${logLevels.join(', ')}`);
    },
  },
  http: {
    flag: 'http',
    env: 'ASSAY_HTTP',
    help: 'Serve Streamable HTTP on /mcp instead of stdio.',
    parse: parseSwitch,
  },
  host: {
    flag: 'host',
    env: 'ASSAY_HOST',
    placeholder: 'address',
    help: 'Address to listen on with --http; a loopback address.',
    fallback: '127.0.0.1',
    parse(raw = '127.0.0.1', where): string {
      return ['127.0.0.1', '::1', 'localhost'].includes(raw)
        ? raw
        : refuse(where, raw, 'a loopback address (127.0.0.1, ::1 or localhost), since there is no OAuth issuer');
    },
  },
  port: {
    flag: 'port',
    env: 'ASSAY_PORT',
    placeholder: 'number',
    help: 'Port to listen on with --http; 0 takes a free one.',
    fallback: '7420',
    parse(raw = '7420', where): number {
      const port = Number(raw);
      return /^\d{1,5}$/.test(raw) && port <= 65_535 ? port : refuse(where, raw, 'a number from 0 to 65535');
    },
  },
  token: {
    env: 'ASSAY_TOKEN',
    placeholder: 'text',
    help: 'The bearer token that HTTP callers must send; at least 16 characters.',
    fallback: 'a random one, printed at the start',
    parse(raw, where): string | undefined {
      if (raw === undefined || /^[\x21-\x7e]{16,}$/.test(raw)) return raw;
      throw new Failure(
        'configuration',
        'BAD_SETTING',
        `${where} must be at least 16 printable characters without blanks.`,
      );
    },
  },
} satisfies Record<string, Setting<unknown>>;

function parseSwitch(raw: string | undefined, where: string): boolean {
  if (raw === undefined || ['', '0', 'false', 'no', 'off'].includes(raw.toLowerCase())) return false;
  return ['1', 'true', 'yes', 'on'].includes(raw.toLowerCase()) || refuse(where, raw, 'true or false');
}

function refuse(where: string, raw: string | undefined, allowed: string): never {
  throw new Failure('configuration', 'BAD_SETTING', `${where} must be ${allowed}, got ${quote(raw)}.`);
}

export interface Given {
  get<Value>(setting: Setting<Value>): Value;
}

/** Reads the flags that a command takes; what a flag does not say, the environment does. */
export function readSettings(
  taken: readonly Setting<unknown>[],
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Given {
  const options = Object.fromEntries(
    taken.flatMap(({ flag, placeholder }) =>
      flag ? [[flag, { type: placeholder ? ('string' as const) : ('boolean' as const) }]] : [],
    ),
  );
  const { values } = parse({ args: [...argv], options, allowNegative: true });
  return {
    get(setting) {
      const flag = setting.flag && values[setting.flag];
      if (flag !== undefined && flag !== '') return setting.parse(String(flag), `--${setting.flag}`);
      return setting.parse(env[setting.env], setting.env);
    },
  };
}

function parse(config: Parameters<typeof parseArgs>[0]) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new Failure('configuration', 'BAD_USAGE', error instanceof Error ? error.message : String(error));
  }
}
