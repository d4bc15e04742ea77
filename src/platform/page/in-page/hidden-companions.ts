/** The hidden fields that a page has filled in when something was chosen, each with what it got, by the field that is seen. */
export type HiddenCompanions = WeakMap<Element, ReadonlyMap<HTMLInputElement, string>>;

/**
 * Runs in the page: what is sent of a choice is often not the text that is seen, but a hidden field beside it. Called before
 * the choice and after it, it notes which of those the page has filled in; `Symbol.for('assay.companions')` has them.
 */
export function noteHiddenCompanions(field: Element, isChosen: boolean): void {
  const key = Symbol.for('assay.companions');
  const beforeKey = Symbol.for('assay.before');
  const known: HiddenCompanions = Reflect.get(window, key) ?? new WeakMap();
  const within = field instanceof HTMLInputElement ? (field.form ?? field.getRootNode()) : field.getRootNode();
  const all =
    within instanceof Element || within instanceof Document || within instanceof ShadowRoot
      ? [...within.querySelectorAll<HTMLInputElement>('input[type=hidden]')].slice(0, 500)
      : [];
  const now = new Map(all.map((each) => [each, each.value]));
  if (!isChosen) {
    Reflect.set(window, beforeKey, now);
    return;
  }
  const before: Map<HTMLInputElement, string> = Reflect.get(window, beforeKey) ?? new Map();
  Reflect.deleteProperty(window, beforeKey);
  // What was chosen before already stays as it is.
  const filled = [...now].filter(([each, value]) => value !== '' && before.get(each) !== value);
  if (filled.length > 0) known.set(field, new Map(filled));
  Reflect.set(window, key, known);
}
