/** The public interface of the page engine: `docs/page-engine.md`. Other modules of this folder are not imported from outside. */
export type { ValueResult, WidgetValue } from './act/value-result.ts';
export type * from './snapshot/page-snapshot.ts';
