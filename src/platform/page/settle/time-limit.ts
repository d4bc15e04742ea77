/** A frame that is busy for ever does not answer, and one that broke does not either: undefined. */
export async function awaitWithin<Result>(work: Promise<Result>, limitMs: number): Promise<Result | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, limitMs, undefined);
  try {
    return await Promise.race([work.catch(() => undefined), promise]);
  } finally {
    clearTimeout(timer);
  }
}
