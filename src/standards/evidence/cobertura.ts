import { access, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createCoverageStore, createReport, type Report, tidyPath } from '../../coverage/index.ts';
import type { ReportFile } from './source.ts';
import { attribute, childrenOf, type Element, parseXml } from './xml.ts';

const LARGEST = 32 * 1024 * 1024;

/** Reads Cobertura XML, as Python, Rust, .NET and Java tools write it, into a report like any other. */
export async function readCobertura(root: string, file: ReportFile): Promise<Report> {
  if (file.bytes > LARGEST) throw new Error(`it is larger than ${LARGEST} bytes`);
  const [coverage] = childrenOf(parseXml(await readFile(join(root, file.path), 'utf8')), 'coverage');
  if (!coverage) throw new Error('it has no coverage element');
  const store = createCoverageStore(['branches']);
  for (const source of classesOf(coverage)) {
    const path = attribute(source, 'filename');
    if (!path) continue;
    const number = store.file(path);
    for (const lines of childrenOf(source, 'lines')) {
      for (const line of childrenOf(lines, 'line')) addLine(line, number);
    }
  }
  function addLine(line: Element, file: number): void {
    const at = Number(attribute(line, 'number'));
    if (!Number.isSafeInteger(at) || at < 1 || at > 10_000_000) return;
    const bit = 1 << (at & 31);
    store.lines.add(file, at >>> 5, bit, Number(attribute(line, 'hits')) > 0 ? bit : 0);
    // `50% (1/2)`: which of the branches ran is not told, only how many.
    const [, hit = '0', found = '0'] = /\((\d+)\/(\d+)\)/.exec(attribute(line, 'condition-coverage') ?? '') ?? [];
    const branches = Math.min(Number(found), 1000);
    for (let branch = 0; branch < branches; branch++) store.branches?.add(file, at, branch, branch < Number(hit));
  }
  const bases = [
    root,
    ...childrenOf(coverage, 'sources')
      .flatMap(sourceFolders)
      .map((folder) => resolve(root, folder)),
  ];
  let identities: Promise<readonly string[]> | undefined;
  return createReport({
    store,
    names: store.paths,
    cwd: tidyPath(root),
    origins: [{ path: tidyPath(join(root, file.path)), writtenAtMs: file.modifiedMs }],
    identities: () => (identities ??= Promise.all(store.paths.map((path) => placeOf(path, bases)))),
  });
}

function classesOf(coverage: Element): Element[] {
  return childrenOf(coverage, 'packages')
    .flatMap((packages) => childrenOf(packages, 'package'))
    .flatMap((one) => childrenOf(one, 'classes'))
    .flatMap((classes) => childrenOf(classes, 'class'));
}

function sourceFolders(sources: Element): string[] {
  const found = Object.hasOwn(sources, 'source') ? sources['source'] : undefined;
  return (Array.isArray(found) ? found : [found])
    .filter((folder) => typeof folder === 'string' && folder !== '')
    .map(String);
}

/** Paths are seen from one of the source folders: the one in which the file is. */
async function placeOf(path: string, bases: readonly string[]): Promise<string> {
  for (const base of bases) {
    const place = resolve(base, path);
    const there = await access(place).then(
      () => true,
      () => false,
    );
    if (there) return tidyPath(place);
  }
  return tidyPath(resolve(bases[0] ?? '/', path));
}
