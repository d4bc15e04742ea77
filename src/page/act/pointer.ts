import type { Page } from 'playwright-core';
import { callInWorld, type PageWorld } from '../world/isolated-world.ts';

const CALL_LIMIT_MS = 5_000;
const MOVING_LIMIT_MS = 1_500;
const LOOK_MS = 30;

/** Why an element cannot be operated, in words. */
export class ActionProblem extends Error {}

export interface PagePoint {
  x: number;
  y: number;
}

/** Where a person would click to operate an element, once nothing moves it. @throws ActionProblem */
export async function clickPoint(world: PageWorld, ref: string): Promise<PagePoint> {
  const deadline = performance.now() + MOVING_LIMIT_MS;
  let last: PagePoint | undefined;
  for (;;) {
    const { point, isMoving } = await lookAt(world, ref);
    // A frame with a process of its own is scrolled a moment after it was asked to.
    const isAtRest = !isMoving && (!world.owner || (last?.x === point.x && last.y === point.y));
    if (isAtRest || performance.now() >= deadline) return point;
    last = point;
    await pause(LOOK_MS);
  }
}

async function lookAt(world: PageWorld, ref: string): Promise<{ point: PagePoint; isMoving: boolean }> {
  const origin = await frameOrigin(world);
  const target = await callInWorld(world, 'findClickTarget', { ref }, CALL_LIMIT_MS);
  if (!target) throw new ActionProblem('it is no longer in the page');
  if (target.obstacle && !target.isMoving) throw new ActionProblem(target.obstacle);
  return { point: { x: target.x + origin.x, y: target.y + origin.y }, isMoving: target.isMoving };
}

/** Where the document of a frame begins in the page. */
async function frameOrigin({ owner }: PageWorld): Promise<PagePoint> {
  if (!owner) return { x: 0, y: 0 };
  const inner = await callInWorld(owner.world, 'findFrameOrigin', { ref: owner.ref }, CALL_LIMIT_MS);
  if (!inner) throw new ActionProblem('its frame is no longer in the page');
  const outer = await frameOrigin(owner.world);
  return { x: inner.x + outer.x, y: inner.y + outer.y };
}

export async function clickElement(page: Page, world: PageWorld, ref: string): Promise<void> {
  const { x, y } = await clickPoint(world, ref);
  await page.mouse.click(x, y);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
