import { describe, expect, test } from 'vitest';
import { defaultConfig } from './engine/input/engine-config.ts';
import { applyScanRequest } from './scan-config.ts';

const urls = [new URL('https://a.example/')];
const builtIn = defaultConfig.audit_plugins;

describe('applyScanRequest', () => {
  test('adds built-in plugins that the default config does not list', () => {
    const defaults = { audit_plugins: { axe_core_audit: { class_name: 'AxeCoreAudit', enabled: true } } };
    const plugins = { html_validation: true, axe_core_audit: false };
    expect(applyScanRequest(defaults, { urls: [], plugins }, urls, builtIn)).toEqual({
      config: {
        audit_plugins: {
          axe_core_audit: { class_name: 'AxeCoreAudit', enabled: false },
          html_validation: { class_name: 'HtmlValidationAudit', enabled: true },
        },
      },
      warnings: [],
    });
    expect(defaults.audit_plugins.axe_core_audit.enabled).toBe(true);
  });

  test('uses the built-in plugins when the default config lists none', () => {
    expect(applyScanRequest({}, { urls: [] }, urls, builtIn).config['audit_plugins']).toEqual(builtIn);
  });

  test('warns about an unknown plugin and leaves it out of the config', () => {
    const { config, warnings } = applyScanRequest(
      { audit_plugins: {} },
      { urls: [], plugins: { seo_audit: true } },
      urls,
    );
    expect(config['audit_plugins']).toEqual({});
    expect(warnings).toEqual([expect.stringContaining('seo_audit')]);
  });
});
