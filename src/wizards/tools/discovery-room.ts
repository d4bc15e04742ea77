import * as z from 'zod';
import { ownerKey } from '../../platform/principal.ts';
import { untrusted } from '../../platform/untrusted-schema.ts';
import type { ToolContext } from '../../tool/tool.ts';
import { createShelf } from '../discovery/shelf.ts';
import type { DiscoveryRoom } from '../discovery/start.ts';
import { wizardsOf } from './wizards-of.ts';

const makeShelf = () => createShelf();

/** What discovery works with, on behalf of this caller. */
export function discoveryRoom(context: ToolContext): DiscoveryRoom {
  const { browsers, shared, principal, insideAddresses, addresses, checkPath, signal, attach } = context;
  return {
    browsers,
    shelf: shared(makeShelf),
    owner: ownerKey(principal),
    wizards: wizardsOf(context),
    inside: insideAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
    checkPath,
    signal,
    show: (data) => attach({ type: 'image', data, mimeType: 'image/jpeg' }),
  };
}

export const sessionId = z.string().min(1).max(100).describe('Session id returned by federalscout_start_discovery');
export const selectorType = z
  .enum(['text', 'id', 'css', 'auto'])
  .default('auto')
  .describe('How to interpret selector; auto detects it');

/** What an agent sees after each step. */
export const view = {
  screenshot: z.string().describe('Base64 JPEG; also attached as an image'),
  current_url: untrusted(z.string(), { max: 2_000 }),
  html_context: z.array(
    z.object({
      tag: untrusted(z.string(), { max: 300 }),
      type: untrusted(z.string(), { max: 300 }).nullable(),
      id: untrusted(z.string(), { max: 300 }).nullable(),
      class: untrusted(z.string(), { max: 300 }).nullable(),
      text: untrusted(z.string(), { max: 500 }).nullable(),
    }),
  ),
  message: untrusted(z.string()),
};

/** The text block: everything but the picture, which is attached. */
export function withoutPicture({ screenshot: _, ...rest }: { screenshot: string }): string {
  return JSON.stringify(rest);
}
