import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readIfThere } from '../spec/project-file.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import type { TemplateName } from './templates/template.ts';

/** What a folder already is, as far as its files say. */
export interface ProjectFacts {
  /** What its manifest calls it. */
  name: string | undefined;
  /** It has a manifest, or code in a usual place. */
  exists: boolean;
  kind: TemplateName;
  /** What made it look so. */
  because: string;
  node: { private: boolean; lockfile: boolean } | undefined;
  python: boolean;
  /** What its tools leave behind, and nobody changes by hand. */
  leftBehind: string[];
  /** A mutation testing tool is set up. */
  mutates: boolean;
  scope: string[];
  contracts: WorkingSpec['contracts'];
}

const record = z.record(z.string(), z.unknown()).catch({});
const manifest = z.object({
  name: z.string().optional().catch(undefined),
  private: z.boolean().catch(false),
  bin: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .catch(undefined),
  engines: record,
  contributes: z.unknown().optional(),
  dependencies: record,
  scripts: record,
});

const codeFolders = [
  'src',
  'lib',
  'app',
  'bin',
  'cmd',
  'pkg',
  'internal',
  'packages',
  'crates',
  'routes',
  'models',
  'test',
  'tests',
  'spec',
];
const manifests = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'composer.json',
  'Gemfile',
];
const usualContracts: [WorkingSpec['contracts'][number]['type'], RegExp][] = [
  ['openapi', /^(openapi|swagger|api)\.(ya?ml|json)$/],
  ['graphql', /^schema\.(graphql|gql)$/],
  ['proto', /\.proto$/],
];

export async function projectFacts(root: string): Promise<ProjectFacts> {
  const names: string[] = await readdir(root).catch(() => []);
  const folders = await foldersAmong(
    root,
    codeFolders.filter((name) => names.includes(name)),
  );
  const contracts = await contractsIn(root, ['', 'docs', 'api', 'proto', 'schema']);
  const node = await readManifest(root);
  const python = names.includes('pyproject.toml') || names.includes('setup.py');
  return {
    name: await nameOf(root, node?.name),
    exists: folders.length > 0 || manifests.some((name) => names.includes(name)),
    ...(await kindOf(root, { node, names, contracts })),
    node: node && { private: node.private, lockfile: names.includes('package-lock.json') },
    python,
    leftBehind: leftBehindBy(names),
    mutates: names.some((name) => /^\.?(stryker\.(conf|config)\b|mutmut|infection\.json)|^stryker-config\b/.test(name)),
    scope: [
      ...folders.map((name) => `${name}/`),
      ...manifests.filter((name) => names.includes(name)),
      ...contracts.map(({ path }) => path),
    ],
    contracts,
  };
}

/** By the tools that the manifests are of; those of Node for a folder that says nothing. */
function leftBehindBy(names: readonly string[]): string[] {
  const has = (...wanted: string[]) => wanted.some((name) => names.includes(name));
  const found = [
    ...(has('pyproject.toml', 'setup.py') ? ['.venv/', '**/__pycache__/', 'build/', 'dist/'] : []),
    ...(has('Cargo.toml', 'pom.xml') ? ['target/'] : []),
    ...(has('build.gradle') ? ['build/', '.gradle/'] : []),
    ...(has('go.mod', 'composer.json', 'Gemfile') ? ['vendor/'] : []),
    ...(has('package.json') ? ['node_modules/', 'dist/'] : []),
  ];
  return found.length > 0 ? [...new Set(found)] : ['node_modules/', 'dist/'];
}

interface Signs {
  node: z.output<typeof manifest> | undefined;
  names: readonly string[];
  contracts: WorkingSpec['contracts'];
}

async function kindOf(
  root: string,
  { node, names, contracts }: Signs,
): Promise<{ kind: TemplateName; because: string }> {
  if (node && ('vscode' in node.engines || node.contributes !== undefined))
    return { kind: 'extension', because: 'package.json names an editor as its engine' };
  const framework = ['express', 'fastify', 'koa', 'hono', '@nestjs/core'].find(
    (name) => name in (node?.dependencies ?? {}),
  );
  if (framework) return { kind: 'api', because: `package.json depends on ${framework}` };
  const [contract] = contracts;
  if (contract) return { kind: 'api', because: `there is ${contract.path}` };
  if (node?.bin !== undefined) return { kind: 'cli', because: 'package.json has a bin' };
  const python = (await readIfThere(root, 'pyproject.toml'))?.text ?? '';
  if (/^\s*(fastapi|flask|django)\b|["'](fastapi|flask|django)\b/im.test(python))
    return { kind: 'api', because: 'pyproject.toml names a web framework' };
  if (/^\[(project|tool\.poetry)\.scripts\]/m.test(python))
    return { kind: 'cli', because: 'pyproject.toml has scripts' };
  const main = ['main.go', 'src/main.rs', 'cmd'];
  for (const path of main)
    if (names.includes(path.split('/')[0] ?? '') && (await lstat(join(root, path)).catch(() => undefined)))
      return { kind: 'cli', because: `there is ${path}` };
  return { kind: 'library', because: 'no sign of an editor extension, an HTTP service or a command was found' };
}

/** As the first manifest that names it does. What looks like no name is left alone. */
async function nameOf(root: string, inPackageJson: string | undefined): Promise<string | undefined> {
  const text = async (path: string) => (await readIfThere(root, path).catch(() => undefined))?.text ?? '';
  const inToml = /^\[(?:project|tool\.poetry|package)\]\s*$[^[]*?^name\s*=\s*["']([^"'\n]+)["']/m;
  const found =
    inPackageJson ??
    inToml.exec(await text('pyproject.toml'))?.[1] ??
    inToml.exec(await text('Cargo.toml'))?.[1] ??
    /^module\s+(\S+)/m.exec(await text('go.mod'))?.[1];
  return found !== undefined && /^[\w@][\w@./-]{0,99}$/.test(found) ? found : undefined;
}

async function readManifest(root: string): Promise<z.output<typeof manifest> | undefined> {
  const file = await readIfThere(root, 'package.json');
  try {
    return file && manifest.safeParse(JSON.parse(file.text)).data;
  } catch {
    return undefined;
  }
}

async function foldersAmong(root: string, names: readonly string[]): Promise<string[]> {
  const stats = await Promise.all(names.map((name) => lstat(join(root, name)).catch(() => undefined)));
  return names.filter((_, index) => stats[index]?.isDirectory());
}

async function contractsIn(root: string, folders: readonly string[]): Promise<WorkingSpec['contracts']> {
  const found: WorkingSpec['contracts'] = [];
  for (const folder of folders) {
    const names: string[] = await readdir(join(root, folder)).catch(() => []);
    for (const name of names.sort()) {
      const [type] = usualContracts.find(([, pattern]) => pattern.test(name)) ?? [];
      if (type) found.push({ type, path: folder === '' ? name : `${folder}/${name}` });
    }
  }
  return found.slice(0, 20);
}
