import type { ControlOption } from '../page-model.ts';
import type { ControlContextTools } from './control-context.ts';
import type { ControlTools, FrameControl } from './control-tools.ts';
import type { NameTools } from './name-tools.ts';
import type { RungTools } from './rung-tools.ts';

/** Runs in the page (see names.ts): radio buttons and checkboxes that are one question become one control. */
export function groupTools(
  names: NameTools,
  rungs: RungTools,
  { boxOf, questionOf }: ControlContextTools,
  { describe }: ControlTools,
) {
  /** What makes buttons one group: their form and name, or the box they are in. */
  function keyOf(element: Element, kind: 'radio' | 'checkbox'): { owner: object; key: string } | undefined {
    if (element instanceof HTMLInputElement) {
      if (element.name) return { owner: element.form ?? element.getRootNode(), key: `${kind}:${element.name}` };
      return kind === 'radio' ? { owner: element, key: 'alone' } : undefined;
    }
    const box = element.closest(kind === 'radio' ? '[role=radiogroup]' : '[role=group]');
    return kind === 'radio' && box ? { owner: box, key: 'box' } : undefined;
  }

  /** Buttons by group, in the order of the page. A lone checkbox is no group. */
  function groupsAmong(elements: readonly { element: Element; kind: 'radio' | 'checkbox' }[]): Map<Element, Element[]> {
    const byOwner = new Map<object, Map<string, Element[]>>();
    for (const { element, kind } of elements) {
      const groupKey = keyOf(element, kind);
      if (!groupKey) continue;
      const keys = byOwner.get(groupKey.owner) ?? new Map<string, Element[]>();
      byOwner.set(groupKey.owner, keys);
      keys.set(groupKey.key, [...(keys.get(groupKey.key) ?? []), element]);
    }
    const groups = new Map<Element, Element[]>();
    for (const keys of byOwner.values())
      for (const [key, members] of keys)
        if (members[0] && (!key.startsWith('checkbox') || members.length > 1)) groups.set(members[0], members);
    return groups;
  }

  function asOption(member: Element, control: FrameControl): ControlOption {
    const label = control.name || names.textOf(member);
    return {
      label,
      value: member instanceof HTMLInputElement ? member.value : (member.getAttribute('data-value') ?? label),
      selected: control.checked === true,
      disabled: control.disabled,
      ladder: control.ladder,
      visible: control.visible,
    };
  }

  function asGroup(members: readonly Element[], type: 'radio' | 'checkbox', most: number): FrameControl | undefined {
    const controls = members.map((member) => describe(member, type, 0));
    const [first] = controls;
    const [element] = members;
    if (!first || !element) return undefined;
    const box = boxOf(members, type);
    const options = members.slice(0, most).flatMap((member, i) => (controls[i] ? [asOption(member, controls[i])] : []));
    const name = questionOf(members, type);
    return {
      ...first,
      kind: type === 'radio' ? 'radio-group' : 'checkbox-group',
      role: box ? names.roleOf(box) : type === 'radio' ? 'radiogroup' : 'group',
      name,
      group: box?.parentElement?.closest('fieldset,[role=group]') ? first.group : '',
      required:
        controls.some(({ required }) => required) || box?.getAttribute('aria-required') === 'true' || /\*$/.test(name),
      options,
      optionCount: members.length,
      visible: controls.some(({ visible }) => visible),
      byLabel: controls.some(({ byLabel }) => byLabel),
      disabled: controls.every(({ disabled }) => disabled),
      invalid: controls.some(({ invalid }) => invalid) || box?.getAttribute('aria-invalid') === 'true',
      error: controls.map(({ error }) => error).find(Boolean) ?? '',
      value: options
        .filter(({ selected }) => selected)
        .map(({ value }) => value)
        .join(', '),
      checked: null,
      ladder: box ? rungs.ladderOf(box).filter(({ by }) => by !== 'css') : [],
    };
  }

  return { groupsAmong, asGroup };
}

export type GroupTools = ReturnType<typeof groupTools>;
