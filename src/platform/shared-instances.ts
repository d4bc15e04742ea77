/** Objects that live between calls in one process. Disposable ones are disposed of when the process stops. */
export interface SharedInstances {
  /** The object of this key; `make` creates it for the first caller. A key starts with its domain: `wizards.schemas`. */
  shared<Instance extends object>(key: string, make: () => Instance): Instance;
  close(): Promise<void>;
}

export function createSharedInstances(): SharedInstances {
  const instances = new Map<string, object>();
  const cleanup = new AsyncDisposableStack();
  return {
    shared<Instance extends object>(key: string, make: () => Instance): Instance {
      const existing = instances.get(key);
      // Each key has one place in the code that uses it, and so one type.
      if (existing) return existing as Instance;
      const made = make();
      instances.set(key, made);
      if (Symbol.asyncDispose in made || Symbol.dispose in made) cleanup.use(made as AsyncDisposable);
      return made;
    },
    close: () => cleanup.disposeAsync(),
  };
}
