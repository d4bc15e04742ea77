import type { Page } from 'playwright-core';

const MOST_PATHS = 400;
const DEEPEST = 9;

/**
 * The shape of a page: which roles stand inside which in its accessibility tree, without names and without how often, so
 * that every product has the same one.
 */
export async function readPageStructure(page: Page): Promise<string[]> {
  const paths = new Set<string>();
  const walk = (node: unknown, above: string, depth: number): void => {
    if (Array.isArray(node)) for (const each of node) walk(each, above, depth);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const role = 'role' in node && typeof node.role === 'string' ? node.role : '';
    const path = role === '' || role === 'generic' ? above : `${above}/${shortRole(role)}`;
    if (paths.size < MOST_PATHS) paths.add(path);
    if (depth < DEEPEST && 'children' in node) walk(node.children, path, depth + 1);
  };
  walk(await page.locator('body').ariaSnapshotJSON({ timeout: 5_000 }), '', 0);
  return [...paths].sort();
}

/** Similarity from 0 (nothing in common) to 1 (equal). */
export function structureSimilarity(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [new Set(one), new Set(other)];
  const both = a.intersection(b).size;
  const either = a.union(b).size;
  return either === 0 ? 1 : both / either;
}

function shortRole(role: string): string {
  return role.slice(0, 12);
}
