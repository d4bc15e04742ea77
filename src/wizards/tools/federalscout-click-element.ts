import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { discoveryRoom, selectorType, sessionId, view, withoutPicture } from './discovery-room.ts';
import { answered, envelope } from './wizard-argument.ts';

export const federalscoutClickElement = defineTool({
  name: 'federalscout_click_element',
  title: 'Click on the form page being recorded',
  description:
    'Click, press, hit or choose a button, link or other element on the current form page during discovery, e.g. Start, Next, Continue or Submit, to go on to the next (following) page. Returns a screenshot.',
  effect: 'write',
  openWorld: true,
  scope: 'wizards:write',
  local: 'browsing',
  input: z.object({
    session_id: sessionId,
    selector: z
      .string()
      .min(1)
      .max(2000)
      .describe(
        "Element to click, by CSS selector or visible text, e.g. #next, Start Estimate, button:has-text('Continue')",
      ),
    selector_type: selectorType,
  }),
  output: z.object({ ...envelope, success: z.literal(true), ...view }),
  async run({ session_id, selector, selector_type }, context) {
    const { clickOn, explainClick } = await import('../discovery/click.ts');
    const { told, viewOf } = await import('../discovery/view.ts');
    const { withoutSecrets } = await import('../discovery/secrets.ts');
    const { shelf, owner, signal, show } = discoveryRoom(context);
    return shelf.use(session_id, owner, async (session) => {
      const { description, moved } = await clickOn(session, selector, selector_type, signal).catch(async (error) => {
        throw await explainClick(session, error, selector, show);
      });
      const view = await viewOf(session, show);
      const led = moved ? 'It led to another page: call federalscout_get_page_info.' : 'The page is still the same.';
      const message = withoutSecrets(session, `${description}: done. ${led}${told(session.watch.take())}`);
      return answered({ success: true as const, ...view, message });
    });
  },
  text: withoutPicture,
});
