import { defaultConfig, pluginSettings, type ScanConfig } from './config.ts';

interface Ignored {
  key: string;
  why: string;
}

/** Keys that CWAC knows and that mean nothing here, with the value that asks for nothing, and why any other is ignored. */
const meaningless: Readonly<Record<string, { quiet: unknown; why: string }>> = {
  headless: { quiet: true, why: 'the browser is always headless' },
  browser: { quiet: 'chrome', why: 'scans are made with Chromium' },
  chrome_driver_location: { quiet: 'auto', why: 'the browser is driven without one' },
};

/** What a configuration asks for and will not get, so that nobody takes a setting for honoured that is not. */
export function ignoredKeys(config: ScanConfig): Ignored[] {
  const ignored: Ignored[] = [];
  const known = new Set(['$schema', ...Object.keys(defaultConfig)]);
  for (const [key, value] of Object.entries(config)) {
    const rule = Object.hasOwn(meaningless, key) ? meaningless[key] : undefined;
    if (rule && rule.quiet !== value) ignored.push({ key, why: rule.why });
    else if (!known.has(key)) ignored.push({ key, why: 'there is no such setting' });
  }
  for (const [name, settings] of Object.entries(config.audit_plugins)) {
    if (!settings.enabled) continue;
    for (const [key, value] of Object.entries(settings)) {
      if (key === 'run_sentiment_analysis') {
        if (value === true) ignored.push({ key: `${name}.${key}`, why: 'sentiment is not measured' });
      } else if (!pluginSettings.has(key)) ignored.push({ key: `${name}.${key}`, why: 'there is no such setting' });
    }
  }
  return ignored;
}
