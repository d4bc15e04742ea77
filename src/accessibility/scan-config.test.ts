import { describe, expect, test } from 'vitest';
import { defaultConfig } from './engine/input/engine-config.ts';
import { applyScanRequest } from './scan-config.ts';

const urls = [new URL('https://a.example/')];
const builtIn = defaultConfig.audit_plugins;

describe('the plugins of a scan', () => {
  test('are those of the engine, where its default config was copied from a CWAC that does not know them all', () => {
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

  test('are the usual ones where the default config names none: no audits at all would find no faults', () => {
    expect(applyScanRequest({}, { urls: [] }, urls, builtIn).config['audit_plugins']).toEqual(builtIn);
  });

  test('that the engine lacks are a warning, and no line in its config', () => {
    const { config, warnings } = applyScanRequest(
      { audit_plugins: {} },
      { urls: [], plugins: { seo_audit: true } },
      urls,
    );
    expect(config['audit_plugins']).toEqual({});
    expect(warnings).toEqual([expect.stringContaining('seo_audit')]);
  });
});
