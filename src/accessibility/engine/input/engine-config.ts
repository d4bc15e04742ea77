import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Failure, quote, systemReason } from '../../../platform/errors.ts';

/** The audits of this engine: CWAC's seven, then three that only this engine has. */
const pluginNames = [
  'axe_core_audit',
  'language_audit',
  'reflow_audit',
  'title_audit',
  'focus_indicator_audit',
  'screenshot_audit',
  'element_audit',
  'html_validation',
  'crawl_audit',
  'seo_audit',
] as const;
export type PluginName = (typeof pluginNames)[number];

/** CWAC's keys and defaults, except for the user agent: this engine identifies itself as Assay. */
export const defaultConfig = {
  audit_name: 'audit_name_here',
  headless: true,
  max_links_per_domain: 50,
  thread_count: 8,
  browser: 'chrome',
  chrome_binary_location: 'auto',
  chrome_driver_location: 'auto',
  user_agent: 'Mozilla/5.0 (compatible; AssayBot/1.0)',
  user_agent_product_token: 'AssayBot',
  follow_robots_txt: true,
  script_timeout: 15,
  page_load_timeout: 10,
  delay_between_page_loads: 0.2,
  delay_between_viewports: 0.1,
  delay_after_page_load: 0.1,
  only_allow_https: true,
  perform_header_check: true,
  shuffle_base_urls: true,
  base_urls_visit_path: './base_urls/visit/',
  base_urls_nohead_path: './base_urls/nohead/',
  crawl_sitemaps: true,
  follow_hash_routes: false,
  record_unexpected_response_codes: true,
  force_open_details_elements: true,
  filter_to_organisations: [],
  filter_to_urls: [],
  viewport_sizes: { small: { width: 320, height: 450 }, medium: { width: 1280, height: 800 } },
  audit_plugins: {
    axe_core_audit: { class_name: 'AxeCoreAudit', 'best-practice': false, enabled: true },
    language_audit: { class_name: 'LanguageAudit', enabled: true, run_sentiment_analysis: false },
    reflow_audit: { class_name: 'ReflowAudit', enabled: true, viewport_to_test: 'small', screenshot_failures: false },
    title_audit: { class_name: 'TitleAudit', enabled: true },
    focus_indicator_audit: {
      class_name: 'FocusIndicatorAudit',
      enabled: false,
      root_element_css_selector: 'main',
      pre_tab_key_presses: 0,
      max_tab_key_presses: 5,
    },
    screenshot_audit: { class_name: 'ScreenshotAudit', enabled: false },
    element_audit: {
      class_name: 'ElementAudit',
      target_element_css_selector: "input:not([type='search'])",
      enabled: false,
    },
    html_validation: { class_name: 'HtmlValidationAudit', enabled: true },
    crawl_audit: { class_name: 'CrawlAudit', enabled: true },
    seo_audit: { class_name: 'SeoAudit', enabled: true },
  },
};

const seconds = (usual: number) => z.number().min(0).max(3600).default(usual);
const size = z.object({ width: z.int().min(50).max(10_000), height: z.int().min(50).max(10_000) });

const pluginSchema = z.looseObject({
  enabled: z.boolean().default(false),
  viewport_to_test: z.string().optional(),
  'best-practice': z.boolean().optional(),
  screenshot_failures: z.boolean().optional(),
  root_element_css_selector: z.string().optional(),
  pre_tab_key_presses: z.int().min(0).max(1000).optional(),
  max_tab_key_presses: z.int().min(0).max(1000).optional(),
  target_element_css_selector: z.string().optional(),
  preset: z.enum(['standard', 'recommended', 'a11y', 'document']).optional(),
});

/** Known setting names of audits. CWAC finds the code of an audit by `class_name`; this engine ignores it. */
export const pluginSettingNames: ReadonlySet<string> = new Set(['class_name', ...Object.keys(pluginSchema.shape)]);

const configSchema = z.looseObject({
  audit_name: z.string().default(defaultConfig.audit_name),
  max_links_per_domain: z.int().min(0).default(defaultConfig.max_links_per_domain),
  chrome_binary_location: z.string().default(defaultConfig.chrome_binary_location),
  thread_count: z.int().min(1).max(256).default(defaultConfig.thread_count),
  user_agent: z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .default(defaultConfig.user_agent),
  user_agent_product_token: z.string().default(defaultConfig.user_agent_product_token),
  follow_robots_txt: z.boolean().default(true),
  script_timeout: seconds(defaultConfig.script_timeout),
  page_load_timeout: seconds(defaultConfig.page_load_timeout),
  delay_between_page_loads: seconds(defaultConfig.delay_between_page_loads),
  delay_between_viewports: seconds(defaultConfig.delay_between_viewports),
  delay_after_page_load: seconds(defaultConfig.delay_after_page_load),
  only_allow_https: z.boolean().default(true),
  perform_header_check: z.boolean().default(true),
  shuffle_base_urls: z.boolean().default(true),
  base_urls_visit_path: z.string().default(defaultConfig.base_urls_visit_path),
  base_urls_nohead_path: z.string().default(defaultConfig.base_urls_nohead_path),
  crawl_sitemaps: z.boolean().default(true),
  follow_hash_routes: z.boolean().default(false),
  record_unexpected_response_codes: z.boolean().default(true),
  force_open_details_elements: z.boolean().default(true),
  filter_to_organisations: z.array(z.string()).default([]),
  filter_to_urls: z.array(z.string()).default([]),
  // The tool specification shows one size without a name; CWAC uses named sizes.
  viewport_sizes: z
    .union([size.transform((custom) => ({ custom })), z.record(z.string().regex(/^[\w.-]+$/), size)])
    .default(defaultConfig.viewport_sizes)
    .refine((sizes) => Object.keys(sizes).length > 0, 'needs at least one viewport'),
  audit_plugins: z.record(z.string(), pluginSchema).prefault(defaultConfig.audit_plugins),
});

export type ScanConfig = z.infer<typeof configSchema>;
export type PluginSettings = z.infer<typeof pluginSchema>;

export function parseScanConfig(value: unknown): ScanConfig {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'the top level';
  throw new Failure('configuration', 'BAD_CONFIG', `The scan configuration is invalid at ${where}: ${issue?.message}.`);
}

export async function readScanConfig(root: string, name: string): Promise<ScanConfig> {
  if (!/^[a-zA-Z0-9_.-]+$/.test(name)) {
    const message = `The name of a configuration may contain letters, digits, "_", "." and "-", got ${quote(name)}.`;
    throw new Failure('bad_input', 'BAD_CONFIG_NAME', message);
  }
  return parseScanConfig(await readJsonFile(join(root, 'config', name)));
}

/** Reads a JSON file with or without a byte order mark. Throws CONFIG_UNREADABLE or CONFIG_NOT_JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new Failure('not_found', 'CONFIG_UNREADABLE', `Cannot read ${quote(path)}: ${systemReason(error)}.`);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new Failure('configuration', 'CONFIG_NOT_JSON', `${quote(path)} is not valid JSON.`);
  }
}

/** Names of enabled audits that this engine does not have. */
export function findUnknownPlugins(config: ScanConfig): string[] {
  const known: readonly string[] = pluginNames;
  return Object.entries(config.audit_plugins).flatMap(([name, { enabled }]) =>
    enabled && !known.includes(name) ? [name] : [],
  );
}
