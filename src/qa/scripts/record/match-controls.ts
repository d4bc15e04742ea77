import { type Control, isField, type PageReading } from '../../../platform/page/page-model.ts';
import type { ClickTarget, FormEvidence, FormField } from '../../scan/use-case-evidence.ts';
import { pathPattern } from '../model/script-steps.ts';

/** The page without its other forms: this form has most of the fields and the same address. */
export function limitToForm(
  reading: PageReading,
  { fields, action }: Pick<FormEvidence, 'fields' | 'action'>,
): PageReading {
  const { controls } = reading;
  const forms = Map.groupBy(
    controls.filter(({ form }) => form),
    formKey,
  );
  if (forms.size < 2) return reading;
  const target = pathPattern(action.split('?')[0]?.replaceAll(/:\w+/g, '*') ?? '');
  const fitOf = (part: Control[]) => {
    const isSentThere = target.test(URL.parse(part[0]?.form?.action ?? '')?.pathname ?? '');
    const found = fields.flatMap((field) => matchCaseField({ controls: part }, field) ?? []);
    // Of two equal controls for small and large screens, one is hidden.
    return found.filter(({ visible }) => visible).length + (isSentThere ? 0.5 : 0) + found.length / 1000;
  };
  const fits = new Map([...forms].map(([key, part]) => [key, fitOf(part)]));
  const most = Math.max(...fits.values());
  const own = most > 0 && [...fits.keys()].find((key) => fits.get(key) === most);
  return own ? { ...reading, controls: controls.filter((one) => !one.form || formKey(one) === own) } : reading;
}

function formKey({ form, frame }: Control): string {
  return [...frame, form?.index ?? -1].join(' > ');
}

/** The control of the current page for a field of the scan. */
export function matchCaseField(
  { controls }: Pick<PageReading, 'controls'>,
  { key, label, kind }: FormField,
): Control | undefined {
  const fields = controls.filter(isField);
  return (
    fields.find((control) => control.nameAttribute === key && control.kind === kind && control.visible) ??
    fields.find((control) => control.nameAttribute === key) ??
    fields.find((control) => control.name === label && control.kind === kind) ??
    fields.find((control) => control.name === label)
  );
}

/** The control of the current page for a click target of the scan. */
export function matchClickable({ controls }: PageReading, { name, role, href }: ClickTarget): Control | undefined {
  const same = controls.filter((control) => control.name === name && control.role === role && control.visible);
  return same.find((control) => control.href === href) ?? (same.length === 1 ? same[0] : undefined);
}

/** The description of the scan for a field that the page does not have now. */
export function controlFromEvidence({ label, key, ladder }: FormField) {
  return { name: label, nameAttribute: key, ladder };
}
