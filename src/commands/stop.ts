/** Aborted by the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort(new Error(signal))));
  }
  return stop.signal;
}
