import { type Control, isField, type PageReading } from '../../platform/page/model.ts';
import type { Clickable, FormField } from '../scan/evidence.ts';

/** The field of a page that the scan has seen, as the page has it now. */
export function match({ controls }: PageReading, { key, label, kind }: FormField): Control | undefined {
  const fields = controls.filter(isField);
  return (
    fields.find((control) => control.nameAttribute === key && control.kind === kind && control.visible) ??
    fields.find((control) => control.nameAttribute === key) ??
    fields.find((control) => control.name === label && control.kind === kind) ??
    fields.find((control) => control.name === label)
  );
}

/** The same for something to click. */
export function matchClickable({ controls }: PageReading, { name, role, href }: Clickable): Control | undefined {
  const same = controls.filter((control) => control.name === name && control.role === role && control.visible);
  return same.find((control) => control.href === href) ?? (same.length === 1 ? same[0] : undefined);
}

/** What the scan knew of a field, where the page does not have it now. */
export function asControl({ label, key, ladder }: FormField) {
  return { name: label, nameAttribute: key, ladder };
}
