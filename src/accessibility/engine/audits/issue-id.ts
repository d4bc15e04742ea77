import { createHash } from 'node:crypto';
import { formatPythonSize } from '../output/python-format.ts';

/** CWAC's issue id: equal for the same rule and markup of a site at the same viewport size, on every page. */
export function issueId(siteUrl: string, rule: string, html: string, size: { width: number; height: number }): string {
  return createHash('shake256', { outputLength: 5 })
    .update(`${siteUrl}${rule}${html}${formatPythonSize(size)}`)
    .digest('hex');
}
