import type { DemoSite } from './site.ts';
import { type Client, call, title } from './stage.ts';

const WIZARD = 'demo-delivery';

/** An agent discovers a form once; then it is run with anybody's data, and a success can be believed. */
export async function wizard(client: Client, site: DemoSite): Promise<void> {
  await title('WIZARDS. The shop’s delivery calculator: the agent discovers the form once');
  const { session_id } = await call(client, 'federalscout_start_discovery', { url: `${site.url}delivery` });
  const { proposed_page_metadata: page } = await call(client, 'federalscout_get_page_info', { session_id });
  await call(client, 'federalscout_save_page_metadata', { session_id, page_metadata: page });
  await call(client, 'federalscout_execute_actions', {
    session_id,
    actions: [
      { action: 'fill', selector: '#weight', value: '3' },
      { action: 'fill', selector: '#city', value: 'Springfield' },
      { action: 'click', selector: 'Tomorrow' },
      { action: 'click', selector: 'Calculate' },
    ],
  });
  await call(client, 'federalscout_complete_discovery', {
    session_id,
    wizard_name: 'Delivery costs',
    wizard_id: WIZARD,
  });

  await title('From now on anybody can run it. First with something missing: no browser is started');
  await call(client, 'federalrunner_execute_wizard', { wizard_id: WIZARD, user_data: { city: 'Oslo' } });
  await title('Then with everything');
  await call(client, 'federalrunner_execute_wizard', {
    wizard_id: WIZARD,
    user_data: { weight_in_kilograms: 'twelve', city: 'Oslo', how_fast: 'Tomorrow' },
  });
}
