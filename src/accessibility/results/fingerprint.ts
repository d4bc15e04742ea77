import { hash } from 'node:crypto';
import { firstElement, stableHtml, stableTarget } from './element.ts';
import { stableName, stableNames } from './stable-text.ts';

export interface Located {
  url: string;
  auditType: string;
  ruleId: string;
  target: string;
  html: string;
}

/** The place in the site's templates that a finding comes from: one thing to fix, on however many pages it shows. */
export interface Template {
  key: string;
  /** The element in a few words: `a.more in footer`. */
  label: string;
}

/**
 * The same for the same fault on any page of a site, in any order, in any build: rule, way to the element, element. Positions
 * do not count, so a banner above does not make all that follows look new.
 */
export function fingerprintOf(finding: Located): string {
  const { url, auditType, ruleId, target, html } = finding;
  return digest([siteOf(url), auditType, ruleId, stableTarget(target) || addressOf(finding), stableHtml(html)]);
}

export function templateOf(finding: Located): Template {
  const steps = stepsOf(finding.target);
  const region = regionOf(steps);
  const element = elementLabel(finding.html, steps);
  const label =
    element === '' ? wholePage(finding) : region && !saysRegion(element, region) ? `${element} in ${region}` : element;
  return { key: digest([siteOf(finding.url), finding.auditType, finding.ruleId, region, element]), label };
}

/** Of an address that could not be opened there is no element: the address itself is the place. */
function addressOf({ auditType, url }: Located): string {
  return auditType === 'crawl_audit' ? url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') : '';
}

function wholePage({ auditType }: Located): string {
  return auditType === 'crawl_audit' ? 'addresses that could not be opened' : 'the whole page';
}

function saysRegion(element: string, region: string): boolean {
  return element === region || element.startsWith(`${region} >`);
}

/** The host without its port and `www.`: two sites in one scan share no templates. */
function siteOf(url: string): string {
  return /^[a-z]+:\/\/(?:www\.)?([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
}

function digest(parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'), 'hex').slice(0, 16);
}

const regions = new Set(['header', 'nav', 'main', 'footer', 'aside', 'dialog']);

/** The tags on the way to an element, from an XPath or, as far as it names tags, a CSS selector. */
function stepsOf(target: string): string[] {
  return target
    .split(/[/>\s]+/)
    .map((step) => /^[a-z][\w-]*/i.exec(step)?.[0].toLowerCase() ?? '')
    .filter((step) => step !== '');
}

/** The outermost landmark around the element; it tells a shared footer from the page's own content. */
function regionOf(steps: readonly string[]): string {
  return steps.find((step) => regions.has(step)) ?? '';
}

/** The element by what its author named it; where nothing is named, by its parent and itself. */
function elementLabel(html: string, steps: readonly string[]): string {
  const element = firstElement(html);
  const tag = element?.tag ?? steps.at(-1) ?? '';
  if (tag === '') return '';
  const names: string[] = [];
  const id = stableName(element?.attributes.get('id') ?? '');
  if (id !== '' && !id.includes('*') && !id.includes('#')) names.push(`#${id}`);
  names.push(...stableNames(element?.attributes.get('class') ?? '').map((name) => `.${name}`));
  for (const name of ['role', 'type', 'name']) {
    const value = stableName(element?.attributes.get(name) ?? '');
    if (value !== '' && !value.includes('*')) names.push(`[${name}=${value}]`);
  }
  if (names.length > 0) return `${tag}${names.slice(0, 6).join('')}`.slice(0, 120);
  const parent = steps.at(-2);
  return parent && parent !== tag && parent !== 'body' && parent !== 'html' ? `${parent} > ${tag}` : tag;
}

export interface Identity {
  fingerprint: string;
  template: Template;
}

const memory = 20_000;

/** Identifies findings, and remembers: on a real site the same footer comes by ten thousand times. */
export function createIdentifier(): (finding: Located) => Identity {
  const known = new Map<string, Identity>();
  return (finding) => {
    const key = `${siteOf(finding.url)}\0${finding.auditType}\0${finding.ruleId}\0${finding.target || addressOf(finding)}\0${finding.html}`;
    const before = known.get(key);
    if (before) return before;
    if (known.size >= memory) known.clear();
    const identity = { fingerprint: fingerprintOf(finding), template: templateOf(finding) };
    known.set(key, identity);
    return identity;
  };
}
