import { defaultConfig, pluginSettingNames, type ScanConfig } from './engine-config.ts';

interface IgnoredSetting {
  key: string;
  reason: string;
}

/** CWAC settings that this engine does not support: the default value, which needs no warning, and why others are ignored. */
const unsupportedSettings: Readonly<Record<string, { defaultValue: unknown; reason: string }>> = {
  headless: { defaultValue: true, reason: 'the browser always runs headless' },
  browser: { defaultValue: 'chrome', reason: 'scans always use Chromium' },
  chrome_driver_location: { defaultValue: 'auto', reason: 'no driver program is needed' },
};

/** Lists settings of the configuration that have no effect, so that the scan can warn about them. */
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
