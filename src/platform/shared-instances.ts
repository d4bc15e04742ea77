/**
 * What lives from one call to the next in one process, made on first use: `shared(make)` gives every caller the same thing
 * for the same function. Things that can be disposed of are, when the process stops.
 */
export interface SharedInstances {
  shared<Thing extends object>(make: () => Thing): Thing;
  close(): Promise<void>;
}

export function createSharedInstances(): SharedInstances {
  const things = new WeakMap<() => object, object>();
  const cleanup = new AsyncDisposableStack();
  return {
    shared<Thing extends object>(make: () => Thing): Thing {
      const kept = things.get(make);
      // The key is the function that makes it, so what is found under it is what it makes.
      if (kept) return kept as Thing;
      const made = make();
      things.set(make, made);
      if (Symbol.asyncDispose in made || Symbol.dispose in made) cleanup.use(made as AsyncDisposable);
      return made;
    },
    close: () => cleanup.disposeAsync(),
  };
}
