import type { Frame, Request } from 'playwright-core';

/** The frame that asks for something. A window that is just being opened has none yet, and to ask for it throws. */
export function requestFrame(request: Request): Frame | undefined {
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}
