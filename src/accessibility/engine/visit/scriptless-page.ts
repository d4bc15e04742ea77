/**
 * Whether a page's policy forbids all scripts: `sandbox` without `allow-scripts`. In such a page no timer fires and no message
 * arrives, not even for what we bring along, and axe would wait for them until its time is up.
 */
export function forbidsScripts(policy: string): boolean {
  return policy.split(/[,;]/).some((directive) => {
    const [name, ...allowed] = directive.trim().toLowerCase().split(/\s+/);
    return name === 'sandbox' && !allowed.includes('allow-scripts');
  });
}

/** In a page without scripts: what waits for a timer goes on at once. Nothing of the page's own can notice. */
export function runTimersImmediately(): void {
  const waiting = new Set<number>();
  let last = 0;
  const setTimeout = (work: (...given: unknown[]) => void, _delay: number, ...given: unknown[]) => {
    const id = ++last;
    waiting.add(id);
    // `queueMicrotask` belongs to the page and is as dead as its timers; promises are the language's own.
    Promise.resolve().then(() => {
      if (waiting.delete(id)) work(...given);
    });
    return id;
  };
  Object.assign(window, { setTimeout, clearTimeout: (id: number) => waiting.delete(id) });
}
