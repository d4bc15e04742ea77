import * as z from 'zod';
import { ownerKey } from '../../platform/principal.ts';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import type { ToolContext } from '../../tool/tool.ts';
import { createSessionRegistry } from '../discovery/session/session-registry.ts';
import type { DiscoveryContext } from '../discovery/session/start-discovery.ts';
import { ownerWizards } from './owner-wizards.ts';

/** What discovery needs from the server, on behalf of this caller. */
export function discoveryContext(context: ToolContext): DiscoveryContext {
  const { browsers, shared, principal, allowedPrivateAddresses, addresses, checkPath, signal, attach } = context;
  return {
    browsers,
    sessions: shared('wizards.sessions', createSessionRegistry),
    owner: ownerKey(principal),
    wizards: ownerWizards(context),
    allowedAddresses: allowedPrivateAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
    checkPath,
    signal,
    attachScreenshot: (data) => attach({ type: 'image', data, mimeType: 'image/jpeg' }),
  };
}

export const sessionIdSchema = z
  .string()
  .min(1)
  .max(100)
  .describe('Session id returned by federalscout_start_discovery');
export const selectorTypeSchema = z
  .enum(['text', 'id', 'css', 'auto'])
  .default('auto')
  .describe('How to interpret selector; auto detects it');

/** The state of the page that an agent gets after each step. */
export const pageViewShape = {
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

/** The text block: everything but the screenshot, which is attached. */
export function withoutScreenshot({ screenshot: _, ...rest }: { screenshot: string }): string {
  return JSON.stringify(rest);
}
