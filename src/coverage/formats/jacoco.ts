import type { CoverageStore } from '../store/coverage-store.ts';
import { addCountedBranches, addFunction, addLine } from './store-writer.ts';
import type { XmlReportReader } from './xml-scanner.ts';

/** Reads JaCoCo XML. A path is the package and the name of the source file, e.g. `com/example/Cart.java`. */
export function createJacocoReader(store: CoverageStore): XmlReportReader {
  let folder = '';
  let file = -1;
  let className = '';
  let method = { name: '', line: 0 };

  function openFile(name: string | undefined): void {
    file = name ? store.fileNumber(folder === '' ? name : `${folder}/${name}`) : -1;
  }

  return {
    element(path, attribute) {
      // Reports of several modules nest packages in groups.
      const location = path.slice(path.lastIndexOf('.', path.lastIndexOf('.') - 1) + 1);
      if (location.endsWith('.package')) folder = attribute('name') ?? '';
      else if (location === 'package.sourcefile') openFile(attribute('name'));
      else if (location === 'package.class') {
        className = attribute('name') ?? '';
        openFile(attribute('sourcefilename'));
      } else if (location === 'class.method') {
        method = { name: `${attribute('name')}${attribute('desc')}`, line: Number(attribute('line')) };
      } else if (file < 0) return;
      else if (location === 'sourcefile.line') {
        const line = Number(attribute('nr'));
        const branches = Number(attribute('cb') ?? 0);
        addLine(store, file, line, Number(attribute('ci')) > 0);
        addCountedBranches(store, file, line, branches, branches + Number(attribute('mb') ?? 0));
      } else if (location === 'method.counter' && attribute('type') === 'METHOD') {
        addFunction(store, file, method.line, `${className}.${method.name}`, Number(attribute('covered')) > 0);
      }
    },

    text() {},
    facts: () => ({}),
  };
}
