import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readProjectFileIfExists } from '../spec/project-file.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import type { TemplateName } from './templates/template.ts';

/** What the files of a folder reveal about its project. */
export interface DetectedProject {
  /** The name in its manifest. */
  name: string | undefined;
  /** It has a manifest or a code folder. */
  exists: boolean;
  kind: TemplateName;
  /** The file that revealed the kind. */
  kindReason: string;
  node: { private: boolean; lockfile: boolean } | undefined;
  python: boolean;
  /** Paths that its tools generate. */
  generatedPaths: string[];
  /** A mutation testing tool is set up. */
  hasMutationTool: boolean;
  scope: string[];
  contracts: WorkingSpec['contracts'];
}

const looseRecord = z.record(z.string(), z.unknown()).catch({});
const packageJsonSchema = z.object({
  name: z.string().optional().catch(undefined),
  private: z.boolean().catch(false),
  bin: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .catch(undefined),
  engines: looseRecord,
  contributes: z.unknown().optional(),
  dependencies: looseRecord,
  scripts: looseRecord,
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
const contractFileNames: [WorkingSpec['contracts'][number]['type'], RegExp][] = [
  ['openapi', /^(openapi|swagger|api)\.(ya?ml|json)$/],
  ['graphql', /^schema\.(graphql|gql)$/],
  ['proto', /\.proto$/],
];

export async function detectProject(root: string): Promise<DetectedProject> {
  const names: string[] = await readdir(root).catch(() => []);
  const folders = await filterFolders(
    root,
    codeFolders.filter((name) => names.includes(name)),
  );
  const contracts = await findContracts(root, ['', 'docs', 'api', 'proto', 'schema']);
  const node = await readPackageJson(root);
  const python = names.includes('pyproject.toml') || names.includes('setup.py');
  return {
    name: await detectName(root, node?.name),
    exists: folders.length > 0 || manifests.some((name) => names.includes(name)),
    ...(await detectKind(root, { node, names, contracts })),
    node: node && { private: node.private, lockfile: names.includes('package-lock.json') },
    python,
    generatedPaths: listGeneratedPaths(names),
    hasMutationTool: names.some((name) =>
      /^\.?(stryker\.(conf|config)\b|mutmut|infection\.json)|^stryker-config\b/.test(name),
    ),
    scope: [
      ...folders.map((name) => `${name}/`),
      ...manifests.filter((name) => names.includes(name)),
      ...contracts.map(({ path }) => path),
    ],
    contracts,
  };
}

/** Lists generated paths by the manifests found; those of Node if there is none. */
function listGeneratedPaths(names: readonly string[]): string[] {
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

interface KindHints {
  node: z.output<typeof packageJsonSchema> | undefined;
  names: readonly string[];
  contracts: WorkingSpec['contracts'];
}

async function detectKind(
  root: string,
  { node, names, contracts }: KindHints,
): Promise<{ kind: TemplateName; kindReason: string }> {
  if (node && ('vscode' in node.engines || node.contributes !== undefined))
    return { kind: 'extension', kindReason: 'package.json names an editor as its engine' };
  const framework = ['express', 'fastify', 'koa', 'hono', '@nestjs/core'].find(
    (name) => name in (node?.dependencies ?? {}),
  );
  if (framework) return { kind: 'api', kindReason: `package.json depends on ${framework}` };
  const [contract] = contracts;
  if (contract) return { kind: 'api', kindReason: `there is ${contract.path}` };
  if (node?.bin !== undefined) return { kind: 'cli', kindReason: 'package.json has a bin' };
  const python = (await readProjectFileIfExists(root, 'pyproject.toml'))?.text ?? '';
  if (/^\s*(fastapi|flask|django)\b|["'](fastapi|flask|django)\b/im.test(python))
    return { kind: 'api', kindReason: 'pyproject.toml names a web framework' };
  if (/^\[(project|tool\.poetry)\.scripts\]/m.test(python))
    return { kind: 'cli', kindReason: 'pyproject.toml has scripts' };
  const main = ['main.go', 'src/main.rs', 'cmd'];
  for (const path of main)
    if (names.includes(path.split('/')[0] ?? '') && (await lstat(join(root, path)).catch(() => undefined)))
      return { kind: 'cli', kindReason: `there is ${path}` };
  return { kind: 'library', kindReason: 'no sign of an editor extension, an HTTP service or a command was found' };
}

/** The name in the first manifest that has a valid one. */
async function detectName(root: string, inPackageJson: string | undefined): Promise<string | undefined> {
  const text = async (path: string) => (await readProjectFileIfExists(root, path).catch(() => undefined))?.text ?? '';
  const inToml = /^\[(?:project|tool\.poetry|package)\]\s*$[^[]*?^name\s*=\s*["']([^"'\n]+)["']/m;
  const found =
    inPackageJson ??
    inToml.exec(await text('pyproject.toml'))?.[1] ??
    inToml.exec(await text('Cargo.toml'))?.[1] ??
    /^module\s+(\S+)/m.exec(await text('go.mod'))?.[1];
  return found !== undefined && /^[\w@][\w@./-]{0,99}$/.test(found) ? found : undefined;
}

async function readPackageJson(root: string): Promise<z.output<typeof packageJsonSchema> | undefined> {
  const file = await readProjectFileIfExists(root, 'package.json');
  try {
    return file && packageJsonSchema.safeParse(JSON.parse(file.text)).data;
  } catch {
    return undefined;
  }
}

async function filterFolders(root: string, names: readonly string[]): Promise<string[]> {
  const stats = await Promise.all(names.map((name) => lstat(join(root, name)).catch(() => undefined)));
  return names.filter((_, index) => stats[index]?.isDirectory());
}

async function findContracts(root: string, folders: readonly string[]): Promise<WorkingSpec['contracts']> {
  const found: WorkingSpec['contracts'] = [];
  for (const folder of folders) {
    const names: string[] = await readdir(join(root, folder)).catch(() => []);
    for (const name of names.sort()) {
      const [type] = contractFileNames.find(([, pattern]) => pattern.test(name)) ?? [];
      if (type) found.push({ type, path: folder === '' ? name : `${folder}/${name}` });
    }
  }
  return found.slice(0, 20);
}
