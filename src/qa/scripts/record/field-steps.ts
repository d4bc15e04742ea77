import type { Control, Ladder } from '../../../platform/page/page-model.ts';
import type { FieldConstraints } from '../../cases/values/field-values.ts';
import type { ElementTarget, ScriptAction } from '../model/script-steps.ts';

const textKinds = [
  ...['text', 'number', 'date', 'time', 'datetime', 'month', 'week', 'email', 'tel', 'url', 'password', 'search'],
  ...['textarea', 'rich-text', 'range', 'colour', 'typeahead'],
];

/** The properties of a control that decide which values are valid. */
export function describeField(control: Control): FieldConstraints {
  const { name, kind, required, constraints, options } = control;
  return { key: fieldKey(control), label: name, kind, required, ...constraints, options };
}

export function fieldKey({ nameAttribute, name }: Pick<Control, 'nameAttribute' | 'name'>): string {
  return nameAttribute || name;
}

export function toElementTarget({
  name,
  nameAttribute,
  ladder,
}: Pick<Control, 'name' | 'nameAttribute' | 'ladder'>): ElementTarget {
  return { name: name || nameAttribute || 'it', ladder };
}

/** The steps that give a control a value. None if only a person can use the control. */
export function stepsToSetField(control: Control, value: string, { typed = false } = {}): ScriptAction[] {
  const on = toElementTarget(control);
  const { kind } = control;
  if (typed) return [{ do: 'type', on, value }];
  if (kind === 'select' || kind === 'multi-select') return [{ do: 'select', on, options: [value] }];
  if (kind === 'checkbox' || kind === 'switch')
    return [{ do: 'check', on, checked: value === 'true', hidden: control.byLabel }];
  if (kind === 'radio-group' || kind === 'checkbox-group') return checkOptionSteps(control, value);
  if (kind === 'listbox') return listboxSteps(control, value);
  if (kind === 'file') return [{ do: 'upload', on, file: uploadFile(value, control.constraints.accept) }];
  if (kind === 'date-parts') return datePartSteps(control, value);
  return textKinds.includes(kind) ? [{ do: 'fill', on, value }] : [];
}

function checkOptionSteps({ options, byLabel }: Control, wanted: string): ScriptAction[] {
  const option = options.find(({ label, value }) => label === wanted || value === wanted);
  if (!option) return [];
  const on = { name: option.label || option.value, ladder: option.ladder };
  return [{ do: 'check', on, checked: true, hidden: byLabel }];
}

/** Opens a custom list unless it is open, then clicks the option. */
function listboxSteps(control: Control, value: string): ScriptAction[] {
  const ladder: Ladder = [{ by: 'role', role: 'option', value }];
  const option: ScriptAction = { do: 'click', on: { name: value, ladder }, times: 1 };
  return control.role === 'listbox' ? [option] : [{ do: 'click', on: toElementTarget(control), times: 1 }, option];
}

function datePartSteps({ parts }: Control, value: string): ScriptAction[] {
  const [year = '', month = '', day = ''] = value.split('-');
  const pieces = { year, month, day };
  return parts.flatMap(({ part, control }) => stepsToSetField(control, String(Number(pieces[part]))));
}

/** A small file of the type of its name; `.txt` stands for a type that the field accepts. */
function uploadFile(name: string, accept = ''): { name: string; type: string; content: string } {
  const stem = name.replace(/\.\w+$/, '');
  const wanted = name.endsWith('.txt') ? accept : name;
  if (wanted.endsWith('.bin'))
    return { name, type: 'application/octet-stream', content: 'A file of a kind that was not asked for.\n' };
  const kinds: [RegExp, string, string, string][] = [
    [/csv/, 'csv', 'text/csv', 'name,email\nAda Lovelace,ada@example.com\n'],
    [/json/, 'json', 'application/json', '{"name": "Ada Lovelace"}\n'],
    [/pdf/, 'pdf', 'application/pdf', SMALL_PDF],
    [/image|svg|png|jpe?g/, 'svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
  ];
  const kind = kinds.find(([hint]) => hint.test(wanted));
  if (!kind) return { name: `${stem}.txt`, type: 'text/plain', content: 'A file that a test uploaded.\n' };
  const [, extension, type, content] = kind;
  return { name: `${stem}.${extension}`, type, content };
}

const SMALL_PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
