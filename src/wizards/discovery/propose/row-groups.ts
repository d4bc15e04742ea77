import type { Page } from 'playwright-core';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import { type Control, isField, type PageReading } from '../../../platform/page/page-model.ts';
import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import { addRowButtonName, addRowFillWord, saveRowButtonName } from '../../vocabulary/buttons.ts';
import { bestSelector } from '../read-page/selector.ts';
import { type DiscoverySession, pageKeyOf, type RowGroup } from '../session/discovery-session.ts';
import { snakeCase, uniqueFieldId } from './field-id.ts';
import { type ProposedField, proposeField } from './propose-field.ts';
import { describeSurroundings } from './surroundings.ts';

const addName = new RegExp(phrasesOf(addRowButtonName), 'i');
const addFillWords = new RegExp(phrasesOf(addRowFillWord), 'gi');
const saveName = new RegExp(phrasesOf(saveRowButtonName), 'i');

/** Records the questions that appear after a click on an "add" button as those of one row. */
export async function recordRowGroup(
  session: DiscoverySession,
  page: Page,
  add: Control,
  before: PageReading,
  after: PageReading,
): Promise<void> {
  if (!/^(?:button|submit|link)$/.test(add.kind) || !addName.test(add.name)) return;
  const keyOf = ({ kind, name, id }: Control) => `${kind} ${name} ${id}`;
  const known = new Set(before.controls.filter(({ visible }) => visible).map(keyOf));
  const opened = after.controls.filter((control) => control.visible && !known.has(keyOf(control)));
  const fields = opened.filter(isField);
  if (fields.length === 0) return;
  const save = opened.find(({ kind, name }) => /^(?:button|submit)$/.test(kind) && saveName.test(name));
  const found = await findList(page, add);
  const called = add.name.replace(addFillWords, '').trim();
  const group = {
    pageKey: pageKeyOf(before),
    add,
    save,
    fields,
    list: found?.list ?? '',
    label: found?.label || called,
    errors: after.errors,
  };
  session.rowGroups.set(`${group.pageKey} ${add.name}`, group);
}

/** The button may be hidden while a row is open. It has no role then, but other selectors still find it. */
async function findList(page: Page, { ladder }: Control): Promise<{ list: string; label: string } | undefined> {
  for (const way of ladder) {
    const [found, ...others] = await page
      .locator(rungToSelector(way))
      .evaluateAll(listsInPage)
      .catch(() => []);
    if (found && others.length === 0) return found;
  }
  return undefined;
}

/** In the page: the list before each button, by its own id or that of the nearest container. */
function listsInPage(buttons: readonly Element[]): { list: string; label: string }[] {
  const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  return buttons.map((button) => {
    for (let at = button.parentElement, up = 0; at && up < 6; at = at.parentElement, up++) {
      const list = at.querySelector('table,[role=table],[role=grid],[role=list],ul,ol');
      if (!list || list.closest('nav,header,footer')) continue;
      const named = list.closest('[id]');
      const isNear = named && at.contains(named) && named !== at && /^[A-Za-z_][\w-]*$/.test(named.id);
      const label = tidy(list.querySelector('caption')?.textContent) || tidy(list.getAttribute('aria-label'));
      return { list: isNear ? `#${named.id}` : '', label };
    }
    return { list: '', label: '' };
  });
}

/** The row groups of a page as fields to save, and a test for controls that belong to them. */
export function proposeRowGroups(
  session: DiscoverySession,
  pageKey: string,
  taken: Set<string>,
): { fields: ProposedField[]; isPart(control: Control): boolean } {
  const here = [...session.rowGroups.values()].filter((group) => group.pageKey === pageKey);
  const fields = here.map((group) => proposeRowGroup(session, group, taken));
  const names = new Set(here.flatMap((group) => group.fields.map(({ kind, name }) => `${kind} ${name}`)));
  return { fields, isPart: ({ kind, name }) => names.has(`${kind} ${name}`) };
}

function proposeRowGroup(session: DiscoverySession, group: RowGroup, taken: Set<string>): ProposedField {
  const { add, save, fields, list, label } = group;
  const id = uniqueFieldId(add, label, taken);
  taken.add(id);
  const ids = new Set<string>();
  const sub_fields = fields.map((control) => {
    const own = uniqueFieldId(control, control.name, ids);
    ids.add(own);
    const { repeatable: _, sub_fields: __, ...field } = proposeField(control, own, control.name, '');
    // An incomplete row is not worth adding. The agent may change this before it saves the page.
    return { ...field, required: true, ...describeSurroundings(control, session, group) };
  });
  const example = Object.fromEntries(sub_fields.map(({ field_id, example_value }) => [field_id, example_value]));
  return {
    label: label || snakeCase(add.name),
    field_id: id,
    selector: list || bestSelector(add.ladder),
    field_type: 'group',
    interaction: 'click',
    required: false,
    example_value: [example],
    repeatable: true,
    add_button_selector: bestSelector(add.ladder),
    add_button: buttonOf(add),
    ...(save && { save_button: buttonOf(save) }),
    min_instances: 0,
    sub_fields,
  };
}

function buttonOf({ name, ladder }: Control) {
  return {
    text: name,
    selector: bestSelector(ladder),
    selector_type: 'css' as const,
    locators: ladder.map(rungToSelector),
  };
}
