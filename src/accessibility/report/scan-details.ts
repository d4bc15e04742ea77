import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { version } from '../../platform/version.ts';
import { readCsv } from '../results/csv-reader.ts';
import { parseFolderTimestamp } from '../results/folder-timestamp.ts';
import { type ScanDetails, truncateText } from './report-model.ts';

/** What the caller knows about the run and the results folder does not contain. */
export interface RunDetails {
  engine?: string | undefined;
  browser?: string | undefined;
  startedAt?: string | undefined;
  duration?: string | undefined;
  /** Why the scan did not finish, as a sentence. */
  cutShort?: string | undefined;
}

const shownSettings: readonly (readonly [key: string, name: string])[] = [
  ['max_links_per_domain', 'Maximum pages per site'],
  ['follow_robots_txt', 'Follows robots.txt'],
  ['delay_between_page_loads', 'Delay between pages (seconds)'],
  ['page_load_timeout', 'Time limit per page (seconds)'],
  ['only_allow_https', 'Only https'],
  ['user_agent', 'User agent'],
];

/** Reads a JSON object of a results folder, such as config.json or run.json; empty when the file is missing or invalid. */
export async function readJsonObjectFile(dir: string, file: string): Promise<JsonObject> {
  try {
    const parsed: unknown = JSON.parse((await readFile(join(dir, file), 'utf8')).replace(/^\uFEFF/, ''));
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** The audit name of a scan, without the timestamp that engines put before it. */
export function scanName(dir: string, config: JsonObject): string {
  const given = config['audit_name'];
  const name = typeof given === 'string' && given !== '' ? given : basename(dir);
  return truncateText(name.replace(/^\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}_(?=.)/, ''), 120);
}

export function describeSettings(config: JsonObject): ScanDetails['settings'] {
  const settings = shownSettings.flatMap(([key, name]) => {
    const value = config[key];
    return value === undefined || value === null || typeof value === 'object'
      ? []
      : [{ name, value: formatValue(value) }];
  });
  const viewports = config['viewport_sizes'];
  if (isJsonObject(viewports)) {
    const sizes = Object.entries(viewports).flatMap(([name, size]) =>
      isJsonObject(size) ? [`${name} ${formatValue(size['width'])} × ${formatValue(size['height'])}`] : [],
    );
    if (sizes.length > 0) settings.unshift({ name: 'Viewports', value: truncateText(sizes.join(', '), 300) });
  }
  return settings;
}

/** Enabled audits, including those that wrote no file. */
export function enabledAudits(config: JsonObject): string[] {
  const plugins = config['audit_plugins'];
  if (!isJsonObject(plugins)) return [];
  return Object.entries(plugins).flatMap(([name, plugin]) =>
    isJsonObject(plugin) && plugin['enabled'] === true ? [name] : [],
  );
}

export function describeVersions(
  config: JsonObject,
  helpUrls: Iterable<string>,
  run: RunDetails,
): ScanDetails['versions'] {
  const versions = [{ name: 'Assay', value: version }];
  const engine = run.engine ?? config['engine'];
  if (typeof engine === 'string') versions.push({ name: 'Engine', value: truncateText(engine, 100) });
  for (const url of helpUrls) {
    const axe = /\/rules\/axe\/([\d.]+)\//.exec(url)?.[1];
    if (!axe) continue;
    versions.push({ name: 'axe-core', value: axe });
    break;
  }
  if (run.browser !== undefined) versions.push({ name: 'Browser', value: truncateText(run.browser, 100) });
  return versions;
}

/** Start time and duration from the caller, or else from the folder name and progress.csv. */
export async function readTimes(dir: string, run: RunDetails): Promise<Pick<ScanDetails, 'started_at' | 'duration'>> {
  const started = run.startedAt ?? parseFolderTimestamp(basename(dir));
  const duration = run.duration ?? (await readDuration(dir));
  return { ...(started !== undefined && { started_at: started }), ...(duration !== undefined && { duration }) };
}

async function readDuration(dir: string): Promise<string | undefined> {
  let elapsed = '';
  await readCsv(join(dir, 'progress.csv'), (header) => {
    const at = header.indexOf('elapsed');
    return (cells) => {
      elapsed = cells[at] ?? '';
    };
  });
  return elapsed === ''
    ? undefined
    : truncateText(/^\d+(\.\d+)?$/.test(elapsed) ? formatDuration(Number(elapsed)) : elapsed, 40);
}

function formatDuration(seconds: number): string {
  return `${Math.floor(seconds / 60)}m ${Math.floor(seconds % 60)}s`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return truncateText(String(value), 300);
}
