import type { Frame } from 'playwright-core';

export interface RoleCounts {
  /** How many elements of this role and name the accessibility tree has. */
  count(role: string, name: string): number;
}

/** The accessibility tree of a frame, as the locators by role see it. Undefined where it cannot be had. */
export async function countRoles(frame: Frame, timeoutMs: number): Promise<RoleCounts | undefined> {
  const counts = new Map<string, number>();
  const key = (role: string, name: string) => `${role}\n${name}`;
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) walk(each);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const role = 'role' in node && typeof node.role === 'string' ? node.role : '';
    const name = 'name' in node && typeof node.name === 'string' ? node.name : '';
    counts.set(key(role, name), (counts.get(key(role, name)) ?? 0) + 1);
    if ('children' in node) walk(node.children);
  };
  try {
    walk(await frame.locator('body').ariaSnapshotJSON({ timeout: timeoutMs }));
  } catch {
    return undefined;
  }
  return { count: (role, name) => counts.get(key(role, name)) ?? 0 };
}
