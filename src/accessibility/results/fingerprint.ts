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

/** The part of a site's templates that causes a finding: one thing to fix, however many pages show it. */
export interface SiteTemplate {
  key: string;
  /** Short description of the element: `a.more in footer`. */
  label: string;
}

/**
 * Computes an id that is equal for the same issue on any page of a site and in any build, from rule, path to the element, and
 * element. Positions do not count, so a new banner does not change the ids of the elements below it.
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

/** An address that could not be opened has no element, so the address itself identifies the finding. */
function brokenAddress({ auditType, url }: LocatedFinding): string {
  return auditType === 'crawl_audit' ? url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') : '';
}

function pageLabel({ auditType }: LocatedFinding): string {
  return auditType === 'crawl_audit' ? 'addresses that could not be opened' : 'the whole page';
}

function namesRegion(element: string, region: string): boolean {
  return element === region || element.startsWith(`${region} >`);
}

/** The host without port and `www.`: two sites of one scan share no templates. */
function hostOf(url: string): string {
  return /^[a-z]+:\/\/(?:www\.)?([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
}

function digest(parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'), 'hex').slice(0, 16);
}

const regions = new Set(['header', 'nav', 'main', 'footer', 'aside', 'dialog']);

/** Tag names on the path to an element, from an XPath or a CSS selector. */
function parseSteps(target: string): string[] {
  return target
    .split(/[/>\s]+/)
    .map((step) => /^[a-z][\w-]*/i.exec(step)?.[0].toLowerCase() ?? '')
    .filter((step) => step !== '');
}

/** The outermost landmark around the element; it separates a shared footer from the content of the page. */
function outermostRegion(steps: readonly string[]): string {
  return steps.find((step) => regions.has(step)) ?? '';
}

/** Describes an element by its id, classes and other names, or without names by its parent and tag. */
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

/** Creates a function that identifies findings, with a cache: on a real site the same footer occurs thousands of times. */
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
