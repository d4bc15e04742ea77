import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * Takes modules of Node with `process.getBuiltinModule`. An import statement touches all exports of such a module, and some of
 * them load more modules: `node:crypto` all of Web Crypto, `node:fs` the file streams.
 */
export const builtinModulesByName: Plugin = {
  name: 'builtin-modules-by-name',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?[a-z0-9_/]+$/ }, ({ path, kind, importer }) => {
      const name = path.replace(/^node:/, '');
      if (!builtinModules.includes(name)) return undefined;
      if (kind === 'require-call') return { path: name, namespace: 'required-builtin' };
      // A module for each importer, so that each has only the exports that it uses.
      return { path: `${name} of ${importer}`, namespace: 'imported-builtin', pluginData: name };
    });
    onLoad({ filter: /./, namespace: 'required-builtin' }, ({ path }) => ({
      contents: `module.exports = ${getModule(path)};`,
    }));
    onLoad({ filter: /./, namespace: 'imported-builtin' }, ({ pluginData: name }) => {
      const parts = Object.keys(process.getBuiltinModule(name) ?? {}).filter(
        (part) => NAME.test(part) && part !== 'default',
      );
      // Marked as pure, so that esbuild leaves unused ones out.
      const exported = parts.map((part) => `export const ${part} = /* @__PURE__ */ partOfModule('${part}');`);
      return {
        contents: `const module = ${getModule(name)};
          const partOfModule = (part) => module[part];
          export default module;
          ${exported.join('\n')}`,
      };
    });
  },
};

function getModule(name: string): string {
  return `process.getBuiltinModule('node:${name}')`;
}
