import { type DemoSession, toToolData } from './demo-session.ts';
import type { DemoSite } from './demo-site.ts';

const wizard_id = 'demo-delivery';

/** Discovers a form once, then runs it with invalid and with valid data. */
export async function showWizard(
  { call, callExpectingError, printLine, printHeading }: DemoSession,
  site: DemoSite,
): Promise<void> {
  await printHeading('Wizards: the shop’s delivery calculator, discovered once and run with any data');
  const { session_id } = await call('federalscout_start_discovery', { url: `${site.url}delivery` });
  const { proposed_page_metadata: page_metadata } = await call('federalscout_get_page_info', { session_id });
  await call('federalscout_save_page_metadata', { session_id, page_metadata });
  await call('federalscout_execute_actions', {
    session_id,
    actions: [
      { action: 'fill', selector: '#weight', value: '3' },
      { action: 'fill', selector: '#city', value: 'Springfield' },
      { action: 'click', selector: 'Tomorrow' },
      { action: 'click', selector: 'Calculate' },
    ],
  });
  await call('federalscout_complete_discovery', { session_id, wizard_name: 'Delivery costs', wizard_id });
  await printLine('Discovered: weight, city and speed, with the allowed values of each.');
  const missing = await callExpectingError('federalrunner_execute_wizard', { wizard_id, user_data: { city: 'Oslo' } });
  await printLine(`Run with a city alone, no browser starts: ${missing['corrective_action']}.`);
  const user_data = { weight_in_kilograms: 'twelve', city: 'Oslo', how_fast: 'Tomorrow' };
  const run = await call('federalrunner_execute_wizard', { wizard_id, user_data });
  const results = Object.entries(toToolData(run['results'])).map(([name, value]) => `${name} ${value}`);
  await printLine(`With everything ("twelve" is read as 12): ${run['status']}, ${results.join(', ')}.`);
}
