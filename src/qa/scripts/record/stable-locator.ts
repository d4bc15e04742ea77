import { type Control, isField, type PageReading, type Rung } from '../../../platform/page/page-model.ts';

const FORM_BY_FIELD = 'form:has([name=';
const FORM_BY_ACTION = 'form[action$=';
const SUBMIT_SELECTOR = ':is(button:not([type]), [type=submit], [type=image])';

/** Locators by names that the site gave for machines, which stay when the wording changes. */
export function isStableRung({ by, value }: Rung): boolean {
  const isOfForm = by === 'css' && (value.startsWith(FORM_BY_FIELD) || value.startsWith(FORM_BY_ACTION));
  return by === 'test-id' || by === 'id' || by === 'name' || isOfForm;
}

/** A button with additional stable locators: it submits the one form that has such a field or this address. */
export function withStableLocators(button: Control, { controls }: Pick<PageReading, 'controls'>): Control {
  if (button.kind !== 'submit' || !button.form) return button;
  const frame = button.ladder[0]?.frame;
  const selectors = [...selectorByField(button, controls), ...selectorByAction(button, controls)];
  const ways = selectors.map(
    (selector): Rung => ({ by: 'css', value: `${selector} ${SUBMIT_SELECTOR}`, ...(frame && { frame }) }),
  );
  return { ...button, ladder: [...button.ladder, ...ways] };
}

function selectorByField(button: Control, controls: readonly Control[]): string[] {
  const fields = controls.filter((one) => isField(one) && one.visible && isPlain(one.nameAttribute ?? ''));
  const isOnlyHere = ({ nameAttribute }: Control) =>
    controls.every((one) => one.nameAttribute !== nameAttribute || isOfSameForm(one, button));
  const field = fields.find((one) => isOfSameForm(one, button) && isOnlyHere(one));
  return field ? [`${FORM_BY_FIELD}"${field.nameAttribute}"])`] : [];
}

/** An address with a number belongs to one record, and the next run may have another one. */
function selectorByAction({ form }: Control, controls: readonly Control[]): string[] {
  const { pathname = '', search = '' } = URL.parse(form?.action ?? '') ?? {};
  const address = `${pathname}${search}`;
  const rivals = controls.filter((one) => one.kind === 'submit' && one.form?.action === form?.action);
  return rivals.length === 1 && isPlain(address) && !/^\/$|\d/.test(address) ? [`${FORM_BY_ACTION}"${address}"]`] : [];
}

function isOfSameForm(one: Control, { form, frame }: Control): boolean {
  return one.form?.index === form?.index && one.frame.join(' ') === frame.join(' ');
}

function isPlain(name: string): boolean {
  return name !== '' && !/["\\\n]/.test(name);
}
