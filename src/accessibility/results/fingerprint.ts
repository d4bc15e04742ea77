import { hash } from 'node:crypto';
import { normalizeHtml, normalizeTarget, parseOpeningTag } from './html-tag.ts';
import { toStableName, toStableNames } from './stable-names.ts';

export interface LocatedFinding {
  url: string;
  auditType: string;
  ruleId: string;
  target: string;
  html: string;
}

/** The place in the site's templates that a finding comes from: one thing to fix, on however many pages it shows. */
export interface SiteTemplate {
  key: string;
  /** The element in a few words: `a.more in footer`. */
  label: string;
}

/**
 * The same for the same fault on any page of a site, in any order, in any build: rule, way to the element, element. Positions
 * do not count, so a banner above does not make all that follows look new.
 */
export function computeFingerprint(finding: LocatedFinding): string {
  const { url, auditType, ruleId, target, html } = finding;
  return digest([
    hostOf(url),
    auditType,
    ruleId,
    normalizeTarget(target) || brokenAddress(finding),
    normalizeHtml(html),
  ]);
}

export function identifyTemplate(finding: LocatedFinding): SiteTemplate {
  const steps = parseSteps(finding.target);
  const region = outermostRegion(steps);
  const element = elementLabel(finding.html, steps);
  const label =
    element === '' ? pageLabel(finding) : region && !namesRegion(element, region) ? `${element} in ${region}` : element;
  return { key: digest([hostOf(finding.url), finding.auditType, finding.ruleId, region, element]), label };
}

/** Of an address that could not be opened there is no element: the address itself is the place. */
function brokenAddress({ auditType, url }: LocatedFinding): string {
  return auditType === 'crawl_audit' ? url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') : '';
}

function pageLabel({ auditType }: LocatedFinding): string {
  return auditType === 'crawl_audit' ? 'addresses that could not be opened' : 'the whole page';
}

function namesRegion(element: string, region: string): boolean {
  return element === region || element.startsWith(`${region} >`);
}

/** The host without its port and `www.`: two sites in one scan share no templates. */
function hostOf(url: string): string {
  return /^[a-z]+:\/\/(?:www\.)?([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
}

function digest(parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'), 'hex').slice(0, 16);
}

const regions = new Set(['header', 'nav', 'main', 'footer', 'aside', 'dialog']);

/** The tags on the way to an element, from an XPath or, as far as it names tags, a CSS selector. */
function parseSteps(target: string): string[] {
  return target
    .split(/[/>\s]+/)
    .map((step) => /^[a-z][\w-]*/i.exec(step)?.[0].toLowerCase() ?? '')
    .filter((step) => step !== '');
}

/** The outermost landmark around the element; it tells a shared footer from the page's own content. */
function outermostRegion(steps: readonly string[]): string {
  return steps.find((step) => regions.has(step)) ?? '';
}

/** The element by what its author named it; where nothing is named, by its parent and itself. */
function elementLabel(html: string, steps: readonly string[]): string {
  const element = parseOpeningTag(html);
  const tag = element?.tag ?? steps.at(-1) ?? '';
  if (tag === '') return '';
  const names: string[] = [];
  const id = toStableName(element?.attributes.get('id') ?? '');
  if (id !== '' && !id.includes('*') && !id.includes('#')) names.push(`#${id}`);
  names.push(...toStableNames(element?.attributes.get('class') ?? '').map((name) => `.${name}`));
  for (const name of ['role', 'type', 'name']) {
    const value = toStableName(element?.attributes.get(name) ?? '');
    if (value !== '' && !value.includes('*')) names.push(`[${name}=${value}]`);
  }
  if (names.length > 0) return `${tag}${names.slice(0, 6).join('')}`.slice(0, 120);
  const parent = steps.at(-2);
  return parent && parent !== tag && parent !== 'body' && parent !== 'html' ? `${parent} > ${tag}` : tag;
}

export interface FindingIdentity {
  fingerprint: string;
  template: SiteTemplate;
}

const MAX_REMEMBERED = 20_000;

/** Identifies findings, and remembers: on a real site the same footer comes by ten thousand times. */
export function createFindingIdentifier(): (finding: LocatedFinding) => FindingIdentity {
  const known = new Map<string, FindingIdentity>();
  return (finding) => {
    const key = `${hostOf(finding.url)}\0${finding.auditType}\0${finding.ruleId}\0${finding.target || brokenAddress(finding)}\0${finding.html}`;
    const before = known.get(key);
    if (before) return before;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const identity = { fingerprint: computeFingerprint(finding), template: identifyTemplate(finding) };
    known.set(key, identity);
    return identity;
  };
}
