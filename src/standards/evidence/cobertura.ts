import { access, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type CoverageReport, createCoverageReport, createCoverageStore, normalizePath } from '../../coverage/index.ts';
import type { EvidenceFile } from './evidence-source.ts';
import { parseXml, type XmlElement, xmlAttribute, xmlChildren } from './xml-report.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** Reads Cobertura XML of Python, Rust, .NET and Java tools into a coverage report. */
export async function readCobertura(root: string, file: EvidenceFile): Promise<CoverageReport> {
  if (file.bytes > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
  const [coverage] = xmlChildren(parseXml(await readFile(join(root, file.path), 'utf8')), 'coverage');
  if (!coverage) throw new Error('it has no coverage element');
  const store = createCoverageStore(['branches']);
  for (const source of listClasses(coverage)) {
    const path = xmlAttribute(source, 'filename');
    if (!path) continue;
    const number = store.fileNumber(path);
    for (const lines of xmlChildren(source, 'lines')) {
      for (const line of xmlChildren(lines, 'line')) addLine(line, number);
    }
  }
  function addLine(line: XmlElement, file: number): void {
    const at = Number(xmlAttribute(line, 'number'));
    if (!Number.isSafeInteger(at) || at < 1 || at > 10_000_000) return;
    const bit = 1 << (at & 31);
    store.lines.add(file, at >>> 5, bit, Number(xmlAttribute(line, 'hits')) > 0 ? bit : 0);
    // `50% (1/2)`: the report gives only the number of branches that ran.
    const [, hit = '0', found = '0'] = /\((\d+)\/(\d+)\)/.exec(xmlAttribute(line, 'condition-coverage') ?? '') ?? [];
    const branches = Math.min(Number(found), 1000);
    for (let branch = 0; branch < branches; branch++) store.branches?.add(file, at, branch, branch < Number(hit));
  }
  const bases = [
    root,
    ...xmlChildren(coverage, 'sources')
      .flatMap(sourceFolders)
      .map((folder) => resolve(root, folder)),
  ];
  let identities: Promise<readonly string[]> | undefined;
  return createCoverageReport({
    store,
    names: store.paths,
    cwd: normalizePath(root),
    origins: [{ path: normalizePath(join(root, file.path)), writtenAtMs: file.modifiedMs }],
    identities: () => (identities ??= Promise.all(store.paths.map((path) => resolveSource(path, bases)))),
  });
}

function listClasses(coverage: XmlElement): XmlElement[] {
  return xmlChildren(coverage, 'packages')
    .flatMap((packages) => xmlChildren(packages, 'package'))
    .flatMap((one) => xmlChildren(one, 'classes'))
    .flatMap((classes) => xmlChildren(classes, 'class'));
}

function sourceFolders(sources: XmlElement): string[] {
  const found = Object.hasOwn(sources, 'source') ? sources['source'] : undefined;
  return (Array.isArray(found) ? found : [found])
    .filter((folder) => typeof folder === 'string' && folder !== '')
    .map(String);
}

/** Resolves a path against the first source folder that contains the file. */
async function resolveSource(path: string, bases: readonly string[]): Promise<string> {
  for (const base of bases) {
    const candidate = resolve(base, path);
    const exists = await access(candidate).then(
      () => true,
      () => false,
    );
    if (exists) return normalizePath(candidate);
  }
  return normalizePath(resolve(bases[0] ?? '/', path));
}
