/**
 * Whether a Content-Security-Policy forbids all scripts: `sandbox` without `allow-scripts`. In such a page no timer fires and no
 * message arrives, even for injected code, and axe would wait for them until its time limit.
 */
export function forbidsScripts(policy: string): boolean {
  return policy.split(/[,;]/).some((directive) => {
    const [name, ...allowed] = directive.trim().toLowerCase().split(/\s+/);
    return name === 'sandbox' && !allowed.includes('allow-scripts');
  });
}

/** Runs in a page that forbids scripts: replaces timers by promises. The page runs no script that could notice it. */
export function runTimersImmediately(): void {
  const waiting = new Set<number>();
  let last = 0;
  const setTimeout = (work: (...given: unknown[]) => void, _delay: number, ...given: unknown[]) => {
    const id = ++last;
    waiting.add(id);
    // `queueMicrotask` does not work in such a page either; promises do.
    Promise.resolve().then(() => {
      if (waiting.delete(id)) work(...given);
    });
    return id;
  };
  Object.assign(window, { setTimeout, clearTimeout: (id: number) => waiting.delete(id) });
}
