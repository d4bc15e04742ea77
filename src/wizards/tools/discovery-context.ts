import * as z from 'zod';
import { ownerKey } from '../../platform/principal.ts';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { pictureSchema } from '../../tool/picture.ts';
import type { ToolContext } from '../../tool/tool.ts';
import { createSessionRegistry, type SessionRegistry } from '../discovery/session/session-registry.ts';
import type { DiscoveryContext } from '../discovery/session/start-discovery.ts';
import { ownerWizards } from './owner-wizards.ts';

/** What discovery needs from the server, on behalf of this caller. */
export function discoveryContext(context: ToolContext): DiscoveryContext {
  const { browsers, principal, allowedPrivateAddresses, addresses, checkPath, signal, attachPicture } = context;
  const sessions = sessionRegistryOf(context);
  const owner = ownerKey(principal);
  return {
    browsers,
    sessions,
    owner,
    wizards: ownerWizards(context),
    allowedAddresses: allowedPrivateAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
    checkPath,
    signal,
    attachScreenshot: (id, jpeg) => attachPicture(sessions.pictures.keep(id, owner, jpeg)),
  };
}

/** The discoveries of this process. */
export function sessionRegistryOf({ shared }: Pick<ToolContext, 'shared'>): SessionRegistry {
  return shared('wizards.sessions', createSessionRegistry);
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
  screenshot: pictureSchema,
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
