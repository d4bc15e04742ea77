import type { Control, ControlOption } from '../../../platform/page/page-model.ts';
import type { WizardField, WizardSubField } from '../../files/wizard-schema.ts';
import { foldText } from '../../validation/read-values.ts';

/** Describes how the options of the page differ from the file; undefined if they are the same. */
export function optionChanges(field: WizardField | WizardSubField, control: Control): string | undefined {
  if (!field.options?.length || control.options.length === 0 || control.kind === 'typeahead') return undefined;
  const known = field.options.map(({ value, label }) => foldText(label || value));
  const values = field.options.map(({ value }) => foldText(value));
  const shown = control.options.filter(({ value }) => value !== '');
  const isKnown = ({ value, label }: { value: string; label: string }) =>
    known.includes(foldText(label)) || values.includes(foldText(value)) || known.includes(foldText(value));
  const gone = field.options.filter(({ value, label }) =>
    shown.every(
      (one) =>
        ![foldText(one.label), foldText(one.value)].some((text) => [foldText(label), foldText(value)].includes(text)),
    ),
  );
  const fresh = shown.filter((one) => !isKnown(one));
  const moved = movedOptions(field.options, shown, control.kind);
  if (gone.length === 0 && fresh.length === 0 && moved.length === 0) return undefined;
  const list = (options: readonly { label: string; value: string }[]) =>
    options
      .slice(0, 10)
      .map(({ label, value }) => label || value)
      .join(', ');
  return [
    gone.length > 0 && `removed: ${list(gone)}`,
    fresh.length > 0 && `new: ${list(fresh)}`,
    moved.length > 0 && `renamed: ${moved.slice(0, 10).join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ')
    .slice(0, 1_000);
}

/**
 * Options whose value now has another label. In a radio or checkbox group only a label of another option counts, because
 * the author of the file may have chosen its labels freely.
 */
function movedOptions(
  options: NonNullable<WizardField['options']>,
  shown: readonly Pick<ControlOption, 'label' | 'value'>[],
  kind: Control['kind'],
): string[] {
  const isList = kind === 'select' || kind === 'multi-select';
  const labels = new Set(options.map(({ label }) => foldText(label)));
  return options.flatMap(({ value, label }) => {
    const same = shown.filter((one) => foldText(one.value) === foldText(value));
    const isCalled = same.length === 0 || same.some((one) => foldText(one.label) === foldText(label));
    const [now] = same;
    if (isCalled || !now || foldText(label) === '' || (!isList && !labels.has(foldText(now.label)))) return [];
    return [`${value} was ${label} and is now ${now.label}`];
  });
}
