import { type Setting, settings } from '../settings.ts';

const secretVariables = new Set(
  Object.values<Setting<unknown>>(settings).flatMap(({ secret, env }) => (secret ? [env] : [])),
);

/** The environment for child processes: this process's variables without those of secret settings. */
export function omitSecretVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || secretVariables.has(name) ? [] : [[name, value]],
    ),
  );
}
