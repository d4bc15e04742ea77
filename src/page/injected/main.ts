import { readLoadingState } from './loading-state.ts';

/** What the server side may call in a page, by name. Arguments and results are JSON. */
const functions = { readLoadingState };

export type InjectedFunctions = typeof functions;

export function callInjected(
  name: keyof InjectedFunctions,
  argument: Parameters<InjectedFunctions[typeof name]>[0],
): string {
  return JSON.stringify(functions[name](argument));
}
