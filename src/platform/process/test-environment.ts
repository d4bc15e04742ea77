/**
 * Variables that a test command gets. Others may hold credentials, or load code into every program (NODE_OPTIONS, LD_PRELOAD,
 * PYTHONSTARTUP); a policy can name more of them.
 */
const inherited = [
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'TMPDIR',
    'TZ',
    'LANG',
    'LANGUAGE',
    'LC_ALL',
    'LC_CTYPE',
    'TERM',
    'CI',
  ],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'DISPLAY'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...[
    'JAVA_HOME',
    'GOPATH',
    'GOROOT',
    'GOCACHE',
    'GOMODCACHE',
    'GOTOOLCHAIN',
    'CARGO_HOME',
    'RUSTUP_HOME',
    'RUSTUP_TOOLCHAIN',
  ],
  ...[
    'VIRTUAL_ENV',
    'PYENV_ROOT',
    'RBENV_ROOT',
    'NVM_DIR',
    'NVM_BIN',
    'VOLTA_HOME',
    'PNPM_HOME',
    'DOTNET_ROOT',
    'DENO_DIR',
  ],
  ...[
    'SystemRoot',
    'ComSpec',
    'USERPROFILE',
    'HOMEDRIVE',
    'HOMEPATH',
    'APPDATA',
    'LOCALAPPDATA',
    'ProgramData',
    'ProgramFiles',
  ],
  ...['TEMP', 'TMP', 'PATHEXT', 'NUMBER_OF_PROCESSORS'],
];

/** Set for a test command that Assay runs, so that `assay ci standards` inside of it does not start the command again. */
const RECORDED_RUN = 'ASSAY_RECORDED_RUN';

/** Whether this process was started by a test command that Assay runs. */
export function isInRecordedRun(env: NodeJS.ProcessEnv = process.env): boolean {
  return env[RECORDED_RUN] !== undefined;
}

/** The environment for a test command: the variables above and those that `more` names. */
export function testEnvironment(more: readonly string[], env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = [...inherited, ...more].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), [RECORDED_RUN]: '1' };
}

/** Whether this process is part of a pipeline, as far as its environment says. */
export function isInPipeline(env: NodeJS.ProcessEnv = process.env): boolean {
  return env['CI'] === 'true' || env['CI'] === '1';
}
