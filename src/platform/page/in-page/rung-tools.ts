import type { Rung } from '../page-model.ts';
import type { NameTools } from './name-tools.ts';

/** Runs in the page (see names.ts): the ways that lead to an element, each of them to it alone. */
export function rungTools(names: NameTools, all: readonly Element[]) {
  const { tidy } = names;
  const testIds = ['data-testid', 'data-test-id', 'data-test', 'data-qa', 'data-cy', 'data-automation-id'];
  const named = 'button,a[href],input,select,textarea,summary,fieldset,[role],[contenteditable]';

  /** How often each way leads anywhere. Counted once for the whole frame, so that a ladder costs nothing. */
  const counts = new Map<string, number>();
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const isOnly = (key: string) => counts.get(key) === 1;
  const roles = new Map<Element, { role: string; name: string }>();
  const buttonTexts: { tag: string; text: string }[] = [];

  for (const element of all) {
    for (const attribute of testIds) {
      const value = element.getAttribute(attribute);
      if (value) count(`${attribute}=${value}`);
    }
    if (element.id) count(`#${element.id}`);
    const name = element.getAttribute('name');
    if (name) count(`${element.localName}[${name}]`);
    const placeholder = element.getAttribute('placeholder');
    if (placeholder) count(`placeholder=${placeholder}`);
    if (!element.matches(named)) continue;
    for (const label of new Set(labelTexts(element))) count(`label=${label}`);
    const known = { role: names.roleOf(element), name: names.nameOf(element) };
    roles.set(element, known);
    if (known.name && names.isInTree(element)) {
      count(`role=${known.role}=${known.name}`);
      const within = nameInGroup(element, known);
      if (within) count(within);
    }
    if (/^(button|a|summary)$/.test(element.localName))
      buttonTexts.push({ tag: element.localName, text: tidy(element.textContent).toLowerCase() });
  }

  /** Year of birth and year of retirement are both called "Year": the question that they belong to tells them apart. */
  function nameInGroup(element: Element, { role, name }: { role: string; name: string }): string | undefined {
    const group = element.parentElement?.closest('fieldset,[role=group],[role=radiogroup]');
    const question = group ? names.nameOf(group) : '';
    if (!group || !question || !name || role === 'generic') return undefined;
    const said = (is: string, called: string) => `role=${is}[name=${JSON.stringify(called)}]`;
    return `${said(names.roleOf(group), question)} >> ${said(role, name)}`;
  }

  /** The texts by which Playwright finds a control by label. */
  function labelTexts(element: Element): string[] {
    const referenced = names.byIds(element, 'aria-labelledby');
    if (referenced.length > 0) return referenced.map((each) => tidy(each.textContent));
    const said = tidy(element.getAttribute('aria-label'));
    if (said) return [said];
    return names.labelsOf(element).map((label) => tidy(label.textContent));
  }

  /** The text of a label that wraps a list has all of its options in it. */
  function wrapsList(element: Element): boolean {
    return names.labelsOf(element).some((label) => label.querySelector('select,textarea,datalist') !== null);
  }

  const generated = [
    /^\d/,
    /^:r|^«r|^_r_|^(radix|headlessui|reach|react-aria|react-select|mui|mat|cdk|ember|ext|yui|gwt|__BVID_?)[-_:]?/i,
    /[0-9a-f]{8}-[0-9a-f]{4}/i,
    /\d{5,}/,
    /[0-9a-f]{12,}/i,
    /^(input|field|select|text|button|uid|ui-id|el|id|control|form|check|radio)[-_]?\d+$/i,
    /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9]{8,}$/,
  ];
  const isStable = (id: string) => !generated.some((pattern) => pattern.test(id)) && !/\s/.test(id);

  function ladderOf(element: Element): Rung[] {
    const rungs: Rung[] = [];
    for (const attribute of testIds) {
      const value = element.getAttribute(attribute);
      if (value && isOnly(`${attribute}=${value}`)) rungs.push({ by: 'test-id', value, attribute });
    }
    const { role, name } = roles.get(element) ?? { role: names.roleOf(element), name: names.nameOf(element) };
    const within = nameInGroup(element, { role, name });
    if (name && role !== 'generic' && isOnly(`role=${role}=${name}`)) rungs.push({ by: 'role', role, value: name });
    else if (within && isOnly(within)) rungs.push({ by: 'selector', value: within });
    const isButton = /^(button|link|tab|menuitem)$/.test(role);
    const [label] = labelTexts(element);
    if (!isButton && label && label.length <= 200 && !wrapsList(element) && isOnly(`label=${label}`))
      rungs.push({ by: 'label', value: label });
    const placeholder = element.getAttribute('placeholder');
    if (placeholder && placeholder === tidy(placeholder) && isOnly(`placeholder=${placeholder}`))
      rungs.push({ by: 'placeholder', value: placeholder });
    if (element.id && isStable(element.id) && isOnly(`#${element.id}`)) rungs.push({ by: 'id', value: element.id });
    rungs.push(...byNameAttribute(element));
    rungs.push(...byText(element));
    const css = cssOf(element);
    if (css && rungs.length < 2) rungs.push({ by: 'css', value: css });
    return rungs;
  }

  function byNameAttribute(element: Element): Rung[] {
    const name = element.getAttribute('name');
    if (!name) return [];
    const tag = element.localName;
    if (isOnly(`${tag}[${name}]`)) return [{ by: 'name', value: name, tag }];
    const value = element.getAttribute('value');
    const root = element.getRootNode();
    if (value === null || !(root instanceof Document || root instanceof ShadowRoot)) return [];
    const selector = `${tag}[name=${JSON.stringify(name)}][value=${JSON.stringify(value)}]`;
    return /["\\\n]/.test(name + value) || root.querySelectorAll(selector).length !== 1
      ? []
      : [{ by: 'css', value: selector }];
  }

  function byText(element: Element): Rung[] {
    const tag = element.localName;
    if (!/^(button|a|summary)$/.test(tag)) return [];
    const text = tidy(element.textContent);
    if (!text || text.length > 80) return [];
    const like = buttonTexts.filter((other) => other.tag === tag && other.text.includes(text.toLowerCase()));
    return like.length === 1 ? [{ by: 'text', value: text, tag }] : [];
  }

  /** Not by `children`, which is something else in a form that has an input of that name. */
  function childrenOf(parent: Element | null): Element[] {
    return parent ? [...parent.querySelectorAll(':scope > *')] : [];
  }

  /** A path of tags from the nearest stable id on: the last resort, and the first to break. */
  function cssOf(element: Element): string {
    const root = element.getRootNode();
    const steps: string[] = [];
    for (
      let at: Element | null = element;
      at && steps.length < 100 && at.localName !== 'body' && at.localName !== 'html';
      at = at.parentElement
    ) {
      if (at.id && isStable(at.id) && /^[A-Za-z_][\w-]*$/.test(at.id) && isOnly(`#${at.id}`)) {
        steps.unshift(`#${at.id}`);
        return within(root, steps.join(' > '));
      }
      const twins = childrenOf(at.parentElement).filter((other) => other.localName === at?.localName);
      steps.unshift(twins.length > 1 ? `${at.localName}:nth-of-type(${twins.indexOf(at) + 1})` : at.localName);
    }
    return within(root, [...(root instanceof Document ? ['body'] : []), ...steps].join(' > '));
  }

  /** Playwright's CSS looks through open shadow roots, by a space. */
  function within(root: Node, path: string): string {
    const host = names.hostOf(root);
    return host ? `${cssOf(host)} ${path}` : path;
  }

  return {
    ladderOf,
    cssOf,
    testIdOf: (element: Element) => testIds.map((each) => element.getAttribute(each)).find(Boolean) ?? null,
  };
}

export type RungTools = ReturnType<typeof rungTools>;
