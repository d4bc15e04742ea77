import { type Setting, settings } from '../settings.ts';

const secretVariables = new Set(
  Object.values<Setting<unknown>>(settings).flatMap(({ secret, env }) => (secret ? [env] : [])),
);

/** What a program that we start is given of our environment: all but what opens a door of ours. */
export function omitSecretVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || secretVariables.has(name) ? [] : [[name, value]],
    ),
  );
}
