/** The public interface of the page engine: `docs/page-engine.md`. Other modules of this folder are not imported from outside. */

export {
  type ActionOptions,
  type ActionResult,
  click,
  drag,
  hover,
  press,
  scroll,
  upload,
} from './act/perform-action.ts';
export {
  confirmValues,
  type SetValueOptions,
  setValue,
  setValues,
  type ValueEntry,
  type ValueTarget,
} from './act/set-value.ts';
export type { ValueResult, WidgetValue } from './act/value-result.ts';
export { applyChanges, compareSnapshots, type SnapshotChange } from './snapshot/compare-snapshots.ts';
export { findElements } from './snapshot/find-elements.ts';
export type * from './snapshot/page-snapshot.ts';
export { type ReadSnapshotOptions, readSnapshot } from './snapshot/read-snapshot.ts';
