import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { discoveryContext, pageViewShape, selectorTypeSchema, sessionIdSchema } from './discovery-context.ts';
import { responseEnvelope, successResponse } from './tool-schemas.ts';

export const federalscoutClickElement = defineTool({
  name: 'federalscout_click_element',
  title: 'Click on the form page being recorded',
  description:
    'Click, press, hit or choose a button, link or other element on the current form page during discovery, e.g. Start, Next, Continue or Submit, to go on to the next (following) page. Returns a screenshot.',
  effect: 'write',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  longReply: { rest: 'federalscout_get_page_info lists the rest of the page.' },
  input: z.object({
    session_id: sessionIdSchema,
    selector: z
      .string()
      .min(1)
      .max(2000)
      .describe(
        "Element to click, by CSS selector or visible text, e.g. #next, Start Estimate, button:has-text('Continue')",
      ),
    selector_type: selectorTypeSchema,
  }),
  output: z.object({ ...responseEnvelope, success: z.literal(true), ...pageViewShape }),
  async run({ session_id, selector, selector_type }, context) {
    const { clickSelector, toClickError } = await import('../discovery/act/click-element.ts');
    const { describeBrowserEvents, capturePageView } = await import('../discovery/read-page/page-view.ts');
    const { redactSecrets } = await import('../discovery/read-page/typed-secrets.ts');
    const { sessions, owner, signal, attachScreenshot } = discoveryContext(context);
    return sessions.use(session_id, owner, async (session) => {
      const { description, hasMoved } = await clickSelector(session, selector, selector_type, signal).catch(
        async (error) => {
          throw await toClickError(session, error, selector, attachScreenshot);
        },
      );
      const view = await capturePageView(session, attachScreenshot);
      const effect = hasMoved
        ? 'It led to another page: call federalscout_get_page_info.'
        : 'The page is still the same.';
      const message = redactSecrets(
        session,
        `${description}: done. ${effect}${describeBrowserEvents(session.watch.take())}`,
      );
      return successResponse({ success: true as const, ...view, message });
    });
  },
});
