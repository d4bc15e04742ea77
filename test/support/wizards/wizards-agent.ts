import type { Result } from '../assay.ts';

type Ask = (name: string, args: Record<string, unknown>) => Promise<Result>;

/** The answers of an agent to the questions of a form, by label. */
export type FormAnswers = Readonly<Record<string, string | readonly Readonly<Record<string, string>>[]>>;

interface ProposedField {
  label: string;
  field_id: string;
  field_type: string;
  selector: string;
  repeatable?: boolean;
}

/** Discovers a form as an agent that accepts every proposal. Returns the saved pages. */
export async function discoverAs(
  ask: Ask,
  session_id: string,
  pages: number,
  known: FormAnswers,
): Promise<ProposedField[][]> {
  const saved: ProposedField[][] = [];
  for (let page = 0; page < pages; page++) {
    const metadata = await fillIn(ask, session_id, known);
    const { warnings } = await ask('federalscout_save_page_metadata', { session_id, page_metadata: metadata });
    if (warnings.length > 0) throw new Error(`page ${page + 1}: ${warnings.join('; ')}`);
    saved.push(metadata.fields);
    const { selector } = metadata.continue_button;
    await ask('federalscout_click_element', { session_id, selector });
  }
  return saved;
}

/** Answers the visible questions until no new ones appear. */
async function fillIn(ask: Ask, session_id: string, known: FormAnswers): Promise<Result> {
  const answered = new Set<string>();
  for (;;) {
    const { proposed_page_metadata: page } = await ask('federalscout_get_page_info', { session_id, full: true });
    const fields: ProposedField[] = page.fields;
    const open = fields.filter(({ label, repeatable }) => label in known && !answered.has(label) && !repeatable);
    if (open.length === 0) return page;
    for (const { label } of open) answered.add(label);
    const actions = open.map((field) => actionFor(field, String(known[field.label])));
    const { failed_actions } = await ask('federalscout_execute_actions', { session_id, actions });
    if (failed_actions.length > 0) throw new Error(JSON.stringify(failed_actions));
  }
}

function actionFor({ label, field_type, selector }: ProposedField, value: string) {
  if (field_type === 'checkbox') return { action: value === 'true' ? 'check' : 'uncheck', selector };
  const isGroup = field_type === 'radio' || field_type === 'group';
  return {
    action: isGroup || field_type === 'select' ? 'select' : 'fill',
    selector: isGroup ? label : selector,
    value,
  };
}
