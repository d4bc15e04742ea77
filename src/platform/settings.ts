import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { Failure, quote } from './errors.ts';
import { type LogLevel, logLevels } from './log.ts';
import { parseSecret, parseSwitch, parseUrl, parseWhole, rejectSetting } from './setting-parsers.ts';
import { findNearestName } from './text/nearest-name.ts';

/** One row of the table that makes the parser, the help and the docs. A flag wins over the environment. */
export interface Setting<Value> {
  /** Absent for a value that must not appear in a process list. */
  flag?: string;
  env: string;
  /** Stands after the flag in the help; absent for a switch. */
  placeholder?: string;
  help: string;
  /** A credential. */
  secret?: true;
  /** The default, as shown in the help. */
  fallback?: string;
  parse(raw: string | undefined, where: string): Value;
}

const listSetting = (flag: string, env: string, help: string, fallback: string): Setting<string[] | undefined> => ({
  flag,
  env,
  placeholder: 'a,b',
  help,
  fallback,
  parse: (raw) =>
    raw
      ?.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
});

/** The settings of the server, the store and the log. Those of a domain stand in its `settings.ts`. */
export const settings = {
  toolsets: listSetting('toolsets', 'ASSAY_TOOLSETS', 'Serve only these toolsets ("all" for every one).', 'all'),
  tools: listSetting('tools', 'ASSAY_TOOLS', 'Serve these single tools, beside --toolsets or alone.', 'none'),
  excludeTools: listSetting(
    'exclude-tools',
    'ASSAY_EXCLUDE_TOOLS',
    'Never serve these tools, whatever else is chosen.',
    'none',
  ),
  readOnly: {
    flag: 'read-only',
    env: 'ASSAY_READ_ONLY',
    help: 'Serve only tools that change nothing, whatever else is chosen.',
    fallback: 'off',
    parse: parseSwitch,
  },
  lean: {
    flag: 'lean',
    env: 'ASSAY_LEAN',
    help: 'List at most 12 entry tools, and two that find and call the others: for hosts that cannot take many tools.',
    fallback: 'off',
    parse: parseSwitch,
  },
  screenshots: {
    flag: 'screenshots',
    env: 'ASSAY_SCREENSHOTS',
    placeholder: 'mode',
    help: 'What results contain for a picture: "link", the URI of a resource, or "inline", the picture itself in base64.',
    fallback: 'link',
    parse: (raw, where): 'link' | 'inline' =>
      !raw || raw === 'link' ? 'link' : raw === 'inline' ? raw : rejectSetting(where, raw, '"link" or "inline"'),
  },
  maxNameLength: {
    flag: 'max-name-length',
    env: 'ASSAY_MAX_NAME_LENGTH',
    placeholder: 'number',
    help: 'List a tool with a longer name by a short one: 24 or more, less for a host that adds a prefix; 0 lists every tool by its specified name, which stays callable anyway.',
    fallback: '64',
    parse: (raw, where): number => (raw === '0' ? 0 : raw ? parseWhole(raw, where, 24, 128) : 64),
  },
  logLevel: {
    flag: 'log-level',
    env: 'ASSAY_LOG_LEVEL',
    placeholder: 'level',
    help: `How much to log on stderr: ${logLevels.join(', ')}.`,
    fallback: 'warn',
    parse(raw, where): LogLevel {
      const level = logLevels.find((known) => known === (raw ?? 'warn'));
      return level ?? rejectSetting(where, raw, `one of ${logLevels.join(', ')}`);
    },
  },
  http: {
    flag: 'http',
    env: 'ASSAY_HTTP',
    help: 'Serve Streamable HTTP on /mcp instead of stdio.',
    fallback: 'off',
    parse: parseSwitch,
  },
  host: {
    flag: 'host',
    env: 'ASSAY_HOST',
    placeholder: 'address',
    help: 'Address to listen on with --http. Without an OAuth issuer it must be a loopback address.',
    fallback: '127.0.0.1',
    parse: (raw = '127.0.0.1') => raw,
  },
  port: {
    flag: 'port',
    env: 'ASSAY_PORT',
    placeholder: 'number',
    help: 'Port to listen on with --http; 0 takes a free one.',
    fallback: '7420',
    parse: (raw = '7420', where): number => parseWhole(raw, where, 0, 65_535),
  },
  token: {
    env: 'ASSAY_TOKEN',
    secret: true,
    placeholder: 'text',
    help: 'The bearer token that HTTP callers must send; at least 16 characters.',
    fallback: 'a random one, printed at the start',
    parse: (raw, where): string | undefined => parseSecret(raw, where),
  },
  auth: {
    flag: 'auth',
    env: 'ASSAY_AUTH',
    help: 'Ask HTTP callers for a token. --no-auth serves whoever reaches a loopback address.',
    fallback: 'on',
    parse: (raw, where): boolean => raw === undefined || parseSwitch(raw, where),
  },
  publicUrl: {
    flag: 'public-url',
    env: 'ASSAY_PUBLIC_URL',
    placeholder: 'url',
    help: 'The address by which callers know this server, ending in /mcp; tokens are issued for it.',
    fallback: 'the address it listens on',
    parse: (raw, where): URL | undefined => parseUrl(raw, where),
  },
  oauthIssuer: {
    flag: 'oauth-issuer',
    env: 'ASSAY_OAUTH_ISSUER',
    placeholder: 'url',
    help: 'OpenID provider (Auth0, Keycloak, …) whose JWT access tokens are accepted.',
    fallback: 'none',
    parse: (raw, where): string | undefined => parseUrl(raw, where) && raw,
  },
  oauthAudience: {
    flag: 'oauth-audience',
    env: 'ASSAY_OAUTH_AUDIENCE',
    placeholder: 'text',
    help: 'The audience that the tokens must be for.',
    fallback: 'the public URL',
    parse: (raw): string | undefined => raw || undefined,
  },
  allowedHosts: listSetting(
    'allowed-hosts',
    'ASSAY_ALLOWED_HOSTS',
    'More host names that callers may use for this server; that of the public URL always is.',
    'none',
  ),
  allowedOrigins: listSetting(
    'allowed-origins',
    'ASSAY_ALLOWED_ORIGINS',
    'Host names of web pages that may speak to this server from a browser.',
    'none',
  ),
  folders: listSetting(
    'folders',
    'ASSAY_FOLDERS',
    'The folders that HTTP callers may touch through tools that work on files; such toolsets must be named too.',
    'none',
  ),
  allowAddresses: listSetting(
    'allow-addresses',
    'ASSAY_ALLOW_ADDRESSES',
    'Hosts, addresses and ranges of the inside (10.0.0.0/8) that may be visited for HTTP callers.',
    'none',
  ),
  maxCalls: {
    flag: 'max-calls',
    env: 'ASSAY_MAX_CALLS',
    placeholder: 'number',
    help: 'Tool calls at a time over HTTP; more are answered 503.',
    fallback: '64',
    parse: (raw = '64', where): number => parseWhole(raw, where, 1, 99_999),
  },
  maxMessageBytes: {
    flag: 'max-message-bytes',
    env: 'ASSAY_MAX_MESSAGE_BYTES',
    placeholder: 'number',
    help: 'Bytes that one message of a client may have, up to 67108864. Uploads of documents need four thirds of their size.',
    fallback: '4194304 over HTTP, 16777216 over stdio',
    parse: (raw, where): number | undefined => (raw ? parseWhole(raw, where, 1024, 67_108_864) : undefined),
  },
  rateLimits: {
    flag: 'rate-limits',
    env: 'ASSAY_RATE_LIMITS',
    placeholder: 'tool=n,*=n,requests=n',
    help: 'Calls an hour that one client may make of a tool over HTTP; * is every other tool, requests is every request of any method.',
    fallback: '*=3600,requests=36000, and what the specification of a tool says',
    parse: (raw, where): ReadonlyMap<string, number> => parseLimits(raw, where),
  },
  sharedLimits: {
    flag: 'shared-limits',
    env: 'ASSAY_SHARED_LIMITS',
    help: 'Keep the rate limits in the store, for several processes that serve together.',
    fallback: 'off',
    parse: parseSwitch,
  },
  metricsToken: {
    env: 'ASSAY_METRICS_TOKEN',
    secret: true,
    placeholder: 'text',
    help: 'The bearer token for /metrics. Without it, /metrics is there only where there is no OAuth issuer.',
    parse: (raw, where): string | undefined => parseSecret(raw, where),
  },
  home: {
    env: 'ASSAY_HOME',
    placeholder: 'folder',
    help: 'Where Assay keeps its data, as an absolute path.',
    fallback: 'the data folder of the platform',
    parse: (raw, where): string => parseHome(raw, where),
  },
  databaseUrl: {
    env: 'ASSAY_DATABASE_URL',
    secret: true,
    placeholder: 'postgres://…',
    help: 'Keep the data in this PostgreSQL database instead of a SQLite file in the home folder.',
    parse: (raw, where): string | undefined =>
      !raw || /^postgres(ql)?:\/\//.test(raw)
        ? raw || undefined
        : rejectSetting(where, undefined, 'a postgres:// address'),
  },
  runJobs: {
    flag: 'jobs',
    env: 'ASSAY_RUN_JOBS',
    help: 'Run jobs in this server. --no-jobs leaves them to assay worker.',
    fallback: 'on',
    parse: (raw, where): boolean => raw === undefined || parseSwitch(raw, where),
  },
  jobsPerOwner: {
    flag: 'jobs-per-owner',
    env: 'ASSAY_JOBS_PER_OWNER',
    placeholder: 'number',
    help: 'Jobs that one owner may have running at a time, over all workers. It applies to jobs that this process submits.',
    fallback: 'no limit',
    parse: (raw, where): number | undefined => (raw ? parseWhole(raw, where, 1, 99_999) : undefined),
  },
  jobRetentionDays: {
    flag: 'job-retention-days',
    env: 'ASSAY_JOB_RETENTION_DAYS',
    placeholder: 'number',
    help: 'Days after which an ended job is deleted from the store, with its result and its error.',
    fallback: '90',
    parse: (raw = '90', where): number => parseWhole(raw, where, 1, 36_500),
  },
  s3Bucket: {
    env: 'ASSAY_S3_BUCKET',
    placeholder: 'name',
    help: 'Keep files of scans and test runs in this S3-compatible bucket instead of the home folder: for machines that share no disk.',
    fallback: 'none',
    parse: (raw, where): string | undefined =>
      !raw || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(raw)
        ? raw || undefined
        : rejectSetting(where, raw, 'a bucket name'),
  },
  s3Endpoint: {
    env: 'ASSAY_S3_ENDPOINT',
    placeholder: 'url',
    help: 'Address of the S3 service. The bucket is the first part of the path of each request.',
    fallback: 'Amazon S3 in the region',
    parse: (raw, where): URL | undefined => parseUrl(raw, where),
  },
  s3Region: {
    env: 'ASSAY_S3_REGION',
    placeholder: 'name',
    help: 'Region of the bucket, with which requests are signed.',
    fallback: 'us-east-1',
    parse: (raw): string => raw || 'us-east-1',
  },
  s3Prefix: {
    env: 'ASSAY_S3_PREFIX',
    placeholder: 'path',
    help: 'Start of every key in the bucket, for a bucket that Assay shares with other programs.',
    fallback: 'none',
    parse: (raw = '', where): string =>
      /^[\w./-]{0,200}$/.test(raw)
        ? raw.replace(/^\/+|\/+$/g, '')
        : rejectSetting(where, raw, 'letters, digits and any of . _ - / (at most 200)'),
  },
  s3AccessKeyId: {
    env: 'ASSAY_S3_ACCESS_KEY_ID',
    placeholder: 'text',
    help: 'Access key for the bucket. It needs to get, put, delete and list objects.',
    parse: (raw): string | undefined => raw || undefined,
  },
  s3SecretAccessKey: {
    env: 'ASSAY_S3_SECRET_ACCESS_KEY',
    secret: true,
    placeholder: 'text',
    help: 'Secret of the access key.',
    parse: (raw): string | undefined => raw || undefined,
  },
} satisfies Record<string, Setting<unknown>>;

/** Where the files of scans and test runs are kept. */
export const artifactSettings = [
  ...[settings.s3Bucket, settings.s3Endpoint, settings.s3Region, settings.s3Prefix],
  ...[settings.s3AccessKeyId, settings.s3SecretAccessKey],
];

function parseLimits(raw: string | undefined, where: string): ReadonlyMap<string, number> {
  const rows = (raw ?? '').split(',').flatMap((row) => (row.trim() ? [row.trim()] : []));
  return new Map(
    rows.map((row) => {
      const [, tool = '', number] =
        /^([a-z0-9_]+|\*)\s*=\s*(\d{1,9})$/.exec(row) ?? rejectSetting(where, row, 'like tool_name=20,*=600');
      return [tool, Number(number)];
    }),
  );
}

/** A relative folder would differ between processes that start elsewhere: server, worker, scan engine. */
function parseHome(raw: string | undefined, where: string): string {
  const home = raw || dataFolder();
  if (isAbsolute(home)) return home;
  const meant = home.startsWith('~/') ? join(homedir(), home.slice(2)) : resolve(home);
  return rejectSetting(where, home, `an absolute path such as ${quote(meant)}`);
}

/** The folder for application data on this platform. */
function dataFolder(): string {
  const home = homedir();
  if (process.platform === 'win32') return join(process.env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'assay');
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'assay');
  return join(process.env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'assay');
}

export interface SettingValues {
  get<Value>(setting: Setting<Value>): Value;
}

/** Reads the flags that a command takes. A setting without a flag is read from the environment. Throws `BAD_USAGE` for an unknown flag. */
export function readSettings(
  accepted: readonly Setting<unknown>[],
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): SettingValues {
  const options = Object.fromEntries(
    accepted.flatMap(({ flag, placeholder }) =>
      flag ? [[flag, { type: placeholder ? ('string' as const) : ('boolean' as const) }]] : [],
    ),
  );
  const { values } = parseFlags([...argv], options);
  return {
    get(setting) {
      const flag = setting.flag && values[setting.flag];
      if (flag !== undefined && flag !== '') return setting.parse(String(flag), `--${setting.flag}`);
      return setting.parse(env[setting.env], setting.env);
    },
  };
}

function parseFlags(args: string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args, options, allowNegative: true });
  } catch (error) {
    const unknown = args.map((arg) => /^--(?:no-)?([^=]+)/.exec(arg)?.[1]).find((flag) => flag && !(flag in options));
    const near = unknown && findNearestName(unknown, Object.keys(options));
    const reason = unknown
      ? `Unknown flag --${unknown}.`
      : `${error instanceof Error ? error.message.split('\n')[0] : ''}.`;
    const all = Object.keys(options).map((flag) => `--${flag}`);
    throw new Failure(
      'configuration',
      'BAD_USAGE',
      `${reason} ${near ? `Did you mean --${near}?` : `Flags: ${all.join(', ') || 'none'}.`}`,
    );
  }
}
