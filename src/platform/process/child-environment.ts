/** Settings that child processes of Assay read themselves. Any other one may be a credential. */
const inheritedSettings = new Set(['ASSAY_HOME', 'ASSAY_BROWSER', 'ASSAY_NO_SANDBOX', 'ASSAY_LOG_LEVEL']);

/** The environment for a program that Assay starts: its own, without the settings of Assay that may hold credentials. */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (value === undefined || (name.startsWith('ASSAY_') && !inheritedSettings.has(name))) return [];
      return [[name, value]];
    }),
  );
}
