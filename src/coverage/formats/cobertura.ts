import type { CoverageStore } from '../store/coverage-store.ts';
import { addCountedBranches, addFunction, addLine } from './store-writer.ts';
import type { XmlReportReader } from './xml-scanner.ts';

const classPath = 'coverage.packages.package.classes.class';

interface Method {
  name: string;
  line: number;
  hit: boolean;
}

/** Reads Cobertura XML of Python, Rust, .NET, C++ and Java tools. */
export function createCoberturaReader(store: CoverageStore): XmlReportReader {
  const sourceFolders: string[] = [];
  let file = -1;
  let className = '';
  let method: Method | undefined;

  /** A method is complete when another element of its level begins. */
  function storeMethod(): void {
    if (method && file >= 0) addFunction(store, file, method.line, `${className}.${method.name}`, method.hit);
    method = undefined;
  }

  return {
    element(path, attribute) {
      if (!path.startsWith(classPath)) return;
      switch (path.slice(classPath.length)) {
        case '': {
          storeMethod();
          const name = attribute('filename');
          className = attribute('name') ?? '';
          file = name ? store.fileNumber(name) : -1;
          break;
        }
        case '.methods.method':
          storeMethod();
          method = { name: `${attribute('name')}${attribute('signature')}`, line: 0, hit: false };
          break;
        case '.methods.method.lines.line':
          if (!method) break;
          method.line ||= Number(attribute('number'));
          method.hit ||= Number(attribute('hits')) > 0;
          break;
        case '.lines.line': {
          if (file < 0) break;
          const line = Number(attribute('number'));
          addLine(store, file, line, Number(attribute('hits')) > 0);
          // `50% (1/2)`: the report gives only the number of branches that ran.
          const counts = /\((\d+)\/(\d+)\)/.exec(attribute('condition-coverage') ?? '');
          if (counts) addCountedBranches(store, file, line, Number(counts[1]), Number(counts[2]));
        }
      }
    },

    text(path, value) {
      if (path === 'coverage.sources.source' && value !== '') sourceFolders.push(value);
    },

    facts() {
      storeMethod();
      return { sourceFolders };
    },
  };
}
