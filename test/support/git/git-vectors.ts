/**
 * Every way in which a repository, its user's configuration or the environment can make git start a program. A vector names
 * its program, and a control: plain git commands that do start it.
 */
export interface Vector {
  name: string;
  /** Lines of a configuration file; characters stand for bytes (latin1). `program` is the path of its program. */
  settings?: (program: string) => string;
  /** A line of an attributes file, in the same way. The file that it names is changed in the work tree. */
  attributes?: string;
  /** Variables of the environment. */
  env?: (program: string) => Record<string, string>;
  control: Control;
}

interface Control {
  args: string[];
  env?: Record<string, string>;
  input?: string;
  /** Git starts it on a terminal only. */
  terminal?: true;
}

const section = (name: string, ...lines: string[]) => `[${name}]\n${lines.map((line) => `\t${line}\n`).join('')}`;
const setting = (name: string, key: string, more: string[] = []) => {
  const settings = (program: string) => section(name, `${key} = ${program}`, ...more);
  return { settings };
};
const credential = { args: ['credential', 'fill'], input: 'protocol=https\nhost=example.test\nusername=x\n\n' };
const edit = { args: ['tag', '-a', 'x'] };
const rebase = { args: ['rebase', '-i', '--autostash', '--root'] };
const page = { args: ['grep', '-O', 'line'] };
const ssh = { args: ['ls-remote', 'ssh://example.test/x'] };
const proxied = { args: ['ls-remote', 'git://example.test/x'] };
/** The attributes of one changed file. */
const filtered = (name: string, filter: string, key: string): Vector => ({
  name,
  ...setting(`filter "${filter}"`, key, ['required = true']),
  attributes: `${name}.txt filter=${filter}`,
  control: { args: ['diff', '--no-ext-diff', '--no-textconv', '--', `${name}.txt`] },
});
const diffed = (name: string, driver: string, key: string): Vector => ({
  name,
  ...setting(`diff "${driver}"`, key),
  attributes: `${name}.txt diff=${driver}`,
  control: { args: ['diff', '--', `${name}.txt`] },
});

/** In the repository's own configuration, which also applies to all of its work trees. */
export const localVectors: Vector[] = [
  filtered('filter-clean', 'evil', 'clean'),
  filtered('filter-process', 'evil-process', 'process'),
  filtered('filter-name-with-signs', 'odd=na.me', 'clean'),
  filtered('filter-name-in-latin1', 'caf\xe9', 'clean'),
  filtered('filter-name-not-utf8', '\xff\xfe\x80', 'clean'),
  filtered('filter-process-not-utf8', '\xc3\x28', 'process'),
  {
    ...filtered('filter-smudge', 'evil-smudge', 'smudge'),
    control: { args: ['cat-file', '--filters', 'HEAD:filter-smudge.txt'] },
  },
  diffed('diff-command', 'evil-command', 'command'),
  diffed('diff-command-not-utf8', '\xfe\xff', 'command'),
  {
    ...diffed('diff-textconv', 'evil-textconv', 'textconv'),
    control: { args: ['diff', '--no-ext-diff', '--', 'diff-textconv.txt'] },
  },
  {
    name: 'diff-external',
    ...setting('diff', 'external'),
    control: { args: ['diff', '--', 'plain.txt'] },
  },
  {
    name: 'merge-driver',
    ...setting('merge "evil"', 'driver'),
    attributes: 'merge-driver.txt merge=evil',
    control: { args: ['merge-tree', '--write-tree', 'HEAD', 'side'] },
  },
  { name: 'fsmonitor', ...setting('core', 'fsmonitor'), control: { args: ['status'] } },
  {
    name: 'hooks-path',
    settings: (program) => section('core', `hooksPath = ${program}-folder`),
    control: { args: ['update-ref', 'refs/heads/another', 'HEAD'] },
  },
  { name: 'editor', ...setting('core', 'editor'), control: edit },
  { name: 'pager', ...setting('core', 'pager'), control: page },
  { name: 'pager-of-command', ...setting('pager', 'log'), control: { args: ['log'], terminal: true } },
  { name: 'alias', settings: (program) => section('alias', `evil = !${program}`), control: { args: ['evil'] } },
  { name: 'ask-pass', ...setting('core', 'askPass'), control: credential },
  { name: 'credential-helper', ...setting('credential', 'helper'), control: credential },
  {
    name: 'credential-helper-of-host',
    ...setting('credential "https://example.test"', 'helper'),
    control: credential,
  },
  { name: 'ssh-command', ...setting('core', 'sshCommand'), control: ssh },
  { name: 'git-proxy', ...setting('core', 'gitProxy'), control: proxied },
  {
    name: 'alternate-refs',
    ...setting('core', 'alternateRefsCommand'),
    control: { args: ['rev-list', '--alternate-refs'] },
  },
  {
    name: 'signature-openpgp',
    ...setting('gpg', 'program'),
    control: { args: ['log', '-1', 'refs/heads/signed-openpgp'] },
  },
  {
    name: 'signature-ssh',
    ...setting('gpg "ssh"', 'program', ['allowedSignersFile = /dev/null']),
    control: { args: ['log', '-1', 'refs/heads/signed-ssh'] },
  },
  {
    name: 'signature-x509',
    ...setting('gpg "x509"', 'program'),
    control: { args: ['log', '-1', 'refs/heads/signed-x509'] },
  },
  {
    name: 'signing-key',
    ...setting('gpg "ssh"', 'defaultKeyCommand'),
    control: { args: ['-c', 'gpg.format=ssh', 'commit-tree', '-S', '-m', 'x', 'HEAD^{tree}'] },
  },
  {
    name: 'trailer-command',
    ...setting('trailer "evil"', 'command', ['key = Evil']),
    control: { args: ['interpret-trailers', '--trailer', 'Evil: x'], input: 'subject\n' },
  },
  {
    name: 'trailer-cmd',
    ...setting('trailer "worse"', 'cmd', ['key = Worse']),
    control: { args: ['interpret-trailers', '--trailer', 'Worse: x'], input: 'subject\n' },
  },
  {
    name: 'archive-format',
    ...setting('tar "evil"', 'command'),
    control: { args: ['archive', '--format=evil', 'HEAD'] },
  },
  {
    name: 'diff-tool',
    ...setting('difftool "evil"', 'cmd'),
    control: { args: ['difftool', '-y', '-t', 'evil', '--', 'plain.txt'] },
  },
  {
    name: 'browser',
    ...setting('browser "evil"', 'cmd'),
    control: { args: ['web--browse', '--tool=evil', 'http://example.test'] },
  },
  {
    name: 'manual-viewer',
    ...setting('man "evil"', 'cmd'),
    control: { args: ['-c', 'man.viewer=evil', 'help', '-m', 'add'] },
  },
  {
    name: 'receive-pack',
    ...setting('remote "pushed"', 'receivepack', ['url = .']),
    control: { args: ['push', '-q', 'pushed', 'HEAD:refs/heads/pushed'] },
  },
  {
    name: 'submodule-update',
    settings: (program) => section('submodule "inner"', 'active = true', `update = !${program}`),
    control: { args: ['submodule', 'update', '--force', 'inner'] },
  },
];

/** In other files that git reads as configuration or attributes of a repository. Each has a filter of its own. */
export const otherFileVectors = {
  /** `include.path` */
  included: filtered('filter-included', 'evil-included', 'clean'),
  /** `includeIf.gitdir:….path` */
  includedIf: filtered('filter-included-if', 'evil-included-if', 'clean'),
  /** `config.worktree` */
  worktree: filtered('filter-of-worktree', 'evil-of-worktree', 'clean'),
  /** `.git/info/attributes` */
  info: filtered('filter-by-info', 'evil-by-info', 'clean'),
};

/** In the configuration of a submodule with a changed file. */
export const submoduleVectors: Vector[] = [
  { name: 'submodule-fsmonitor', ...setting('core', 'fsmonitor'), control: { args: ['diff', '--', 'inner'] } },
  {
    name: 'submodule-filter',
    ...setting('filter "inner"', 'clean'),
    attributes: 'inner.txt filter=inner',
    control: { args: ['diff', '--', 'inner'] },
  },
];

/** Of a partial clone: mostly remotes, from which git fetches a missing object. Git tries one after the other. */
export const partialVectors: Vector[] = [
  { name: 'sequence-editor', ...setting('sequence', 'editor'), control: rebase },
  promisor('promisor-ext', (program) => [`url = ext::${program}`]),
  promisor('promisor-upload-pack', (program) => ['url = .', `uploadpack = ${program}`]),
  promisor('promisor-instead-of', (program) => ['url = short:x', `[url "ext::${program} "]`, 'insteadOf = short:']),
  promisor('promisor-ssh', (program) => ['url = ssh://example.test/x', '[core]', `sshCommand = ${program}`]),
  promisor('promisor-git-proxy', (program) => ['url = git://example.test/x', '[core]', `gitProxy = ${program}`]),
  // A remote helper is a program `git-remote-<name>` on the PATH.
  promisor('git-remote-evil', () => ['url = evil://x']),
  promisor('git-remote-worse', () => ['url = x', 'vcs = worse']),
];

function promisor(name: string, lines: (program: string) => string[]): Vector {
  return {
    name,
    settings: (program) => section(`remote "${name}"`, 'promisor = true', ...lines(program)),
    control: { args: ['cat-file', '-p', 'refs/heads/main:missing.txt'] },
  };
}

/** Programs in `.git/hooks`; each is named as its vector. */
export const hookVectors: Vector[] = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'].map(hook);

function hook(name: string): Vector {
  return { name, control: { args: ['commit', '--allow-empty', '-m', 'x'] } };
}

const variable = (name: string, control: Control): Vector => ({
  name: `env-${name}`,
  env: (program) => Object.fromEntries([[name, program]]),
  control,
});
const diffPlain: Control = { args: ['diff', '--', 'plain.txt'] };

/** In the environment of the process that starts git. */
export const environmentVectors: Vector[] = [
  variable('GIT_EXTERNAL_DIFF', diffPlain),
  variable('GIT_PAGER', page),
  variable('PAGER', page),
  variable('GIT_EDITOR', edit),
  variable('VISUAL', edit),
  variable('EDITOR', edit),
  variable('GIT_SEQUENCE_EDITOR', rebase),
  variable('GIT_SSH', ssh),
  variable('GIT_SSH_COMMAND', ssh),
  variable('GIT_PROXY_COMMAND', proxied),
  variable('GIT_ASKPASS', credential),
  variable('SSH_ASKPASS', credential),
  // Not programs, but files that git writes.
  variable('GIT_TRACE', { args: ['status'] }),
  variable('GIT_TRACE2_EVENT', { args: ['status'] }),
  variable('GIT_TRACE_SETUP', { args: ['status'] }),
  {
    name: 'env-GIT_CONFIG_COUNT',
    env: (program) => ({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'diff.external', GIT_CONFIG_VALUE_0: program }),
    control: diffPlain,
  },
  {
    name: 'env-GIT_CONFIG_PARAMETERS',
    env: (program) => ({ GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${program}'` }),
    control: { args: ['status'] },
  },
  {
    name: 'env-GIT_EXEC_PATH',
    env: (program) => ({ GIT_EXEC_PATH: `${program}-folder` }),
    control: { args: ['evil-exec'] },
  },
];

/** The configuration of a user, which may name the same programs for repositories that the user trusts. */
export const userVectors: Vector[] = [
  { name: 'user-fsmonitor', ...setting('core', 'fsmonitor'), control: { args: ['status'] } },
  {
    name: 'user-filter',
    ...setting('filter "of-user"', 'clean'),
    attributes: 'user-filter.txt filter=of-user',
    control: { args: ['diff', '--', 'user-filter.txt'] },
  },
  { name: 'user-external-diff', ...setting('diff', 'external'), control: diffPlain },
  {
    name: 'user-pack-objects-hook',
    ...setting('uploadpack', 'packObjectsHook'),
    control: { args: ['clone', '-q', '--no-local', '.', 'made-by-control'] },
  },
];
