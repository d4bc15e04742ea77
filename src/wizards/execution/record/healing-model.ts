import type { Json } from '../../../platform/json.ts';

/** One step of a JSON Patch (RFC 6902). */
export interface JsonPatchStep {
  op: 'test' | 'replace' | 'add';
  /** A JSON Pointer into the wizard file. */
  path: string;
  value: Json;
}

/** An element that was found by another selector than the first in the file. It is always reported, with a proposed edit. */
export interface HealedSelector {
  field_id: string;
  page: number;
  /** The selector that no longer finds the element, and the one that does. */
  from: string;
  to: string;
  rung: number;
  proposal: string;
  /** The proposed edit as a JSON Patch of the wizard file; it tests the current value first. */
  edit: JsonPatchStep[];
}
