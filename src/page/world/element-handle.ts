import type { Page } from 'playwright-core';
import type { ElementHandle } from '../snapshot/page-snapshot.ts';
import type { PageWorld } from './isolated-world.ts';

/** The frames of a page that were entered, by id: a handle names only the id. */
const worlds = new WeakMap<Page, Map<string, PageWorld>>();

export function toHandle(world: PageWorld, ref: string): ElementHandle {
  if (world.frameId !== undefined) {
    const known = worlds.get(world.page) ?? new Map<string, PageWorld>();
    worlds.set(world.page, known.set(world.frameId, world));
  }
  return `${world.frameId ?? ''} ${ref}` as ElementHandle;
}

export function fromHandle(page: Page, handle: ElementHandle): { world: PageWorld; ref: string } {
  const [frameId = '', ref = ''] = handle.split(' ');
  return { world: worlds.get(page)?.get(frameId) ?? { page }, ref };
}
