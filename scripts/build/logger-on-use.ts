import type { Plugin } from 'esbuild';

/** Loads the logging library when the log is used first: most servers log nothing before the client has the list of tools. */
export const loggerOnUse: Plugin = {
  name: 'logger-on-use',
  setup({ onResolve, onLoad, initialOptions: { absWorkingDir } }) {
    onResolve({ filter: /^pino$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'pino', namespace: 'on-use' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'on-use' }, () => ({
      contents: `const load = () => require('pino');
        export const pino = new Proxy(() => {}, {
          apply: (_target, _this, args) => load()(...args),
          get: (_target, name) => load()[name],
        });`,
      ...(absWorkingDir && { resolveDir: absWorkingDir }),
    }));
  },
};
