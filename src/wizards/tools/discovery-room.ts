import * as z from 'zod';
import type { ToolContext } from '../../mcp/tool.ts';
import { ownerKey } from '../../platform/principal.ts';
import { createShelf } from '../discovery/shelf.ts';
import type { DiscoveryRoom } from '../discovery/start.ts';

const makeShelf = () => createShelf();

/** What discovery works with, on behalf of this caller. */
export function discoveryRoom(context: ToolContext): DiscoveryRoom {
  const { browsers, shared, principal, home, insideAddresses, addresses, checkPath, signal, attach } = context;
  return {
    browsers,
    shelf: shared(makeShelf),
    owner: ownerKey(principal),
    home,
    inside: insideAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
    checkPath,
    signal,
    show: (data) => attach({ type: 'image', data, mimeType: 'image/jpeg' }),
  };
}

export const sessionId = z.string().min(1).max(100).describe('Session ID from start_discovery');
export const selectorType = z
  .enum(['text', 'id', 'css', 'auto'])
  .default('auto')
  .describe('How to interpret the selector');

/** What an agent sees after each step. */
export const view = {
  screenshot: z.string().describe('Base64 JPEG; also attached as an image'),
  current_url: z.string(),
  html_context: z.array(
    z.object({
      tag: z.string(),
      type: z.string().nullable(),
      id: z.string().nullable(),
      class: z.string().nullable(),
      text: z.string().nullable(),
    }),
  ),
  message: z.string(),
};

/** The text block: everything but the picture, which is attached. */
export function withoutPicture({ screenshot: _, ...rest }: { screenshot: string }): string {
  return JSON.stringify(rest);
}
