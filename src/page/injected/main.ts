export { elementOf } from './element-refs.ts';

import { readLoadingState } from './loading-state.ts';
import { readDocument } from './read-document.ts';

/** What the server side may call in a page, by name. Arguments and results are JSON. */
const functions = { readLoadingState, readDocument };

export type InjectedFunctions = typeof functions;

export function callInjected<Name extends keyof InjectedFunctions>(
  name: Name,
  argument: Parameters<InjectedFunctions[Name]>[0],
): string {
  const call = functions[name] as (given: typeof argument) => unknown;
  return JSON.stringify(call(argument) ?? null);
}
