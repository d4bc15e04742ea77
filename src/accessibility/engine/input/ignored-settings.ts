import { defaultConfig, pluginSettingNames, type ScanConfig } from './engine-config.ts';

interface IgnoredSetting {
  key: string;
  reason: string;
}

/** Keys that CWAC knows and that mean nothing here, with the value that asks for nothing, and reason any other is ignored. */
const unsupportedSettings: Readonly<Record<string, { defaultValue: unknown; reason: string }>> = {
  headless: { defaultValue: true, reason: 'the browser is always headless' },
  browser: { defaultValue: 'chrome', reason: 'scans are made with Chromium' },
  chrome_driver_location: { defaultValue: 'auto', reason: 'the browser is driven without one' },
};

/** What a configuration asks for and will not get, so that nobody takes a setting for honoured that is not. */
export function findIgnoredSettings(config: ScanConfig): IgnoredSetting[] {
  const ignored: IgnoredSetting[] = [];
  const known = new Set(['$schema', ...Object.keys(defaultConfig)]);
  for (const [key, value] of Object.entries(config)) {
    const rule = Object.hasOwn(unsupportedSettings, key) ? unsupportedSettings[key] : undefined;
    if (rule && rule.defaultValue !== value) ignored.push({ key, reason: rule.reason });
    else if (!known.has(key)) ignored.push({ key, reason: 'there is no such setting' });
  }
  for (const [name, settings] of Object.entries(config.audit_plugins)) {
    if (!settings.enabled) continue;
    for (const [key, value] of Object.entries(settings)) {
      if (key === 'run_sentiment_analysis') {
        if (value === true) ignored.push({ key: `${name}.${key}`, reason: 'sentiment is not measured' });
      } else if (!pluginSettingNames.has(key))
        ignored.push({ key: `${name}.${key}`, reason: 'there is no such setting' });
    }
  }
  return ignored;
}
