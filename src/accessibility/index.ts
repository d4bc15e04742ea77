/** The API of this domain for the rest of the program. */
export { runEngine } from './engine/run-engine.ts';
export { createSliceVisitor } from './engine/slices/slice-visitor.ts';
export { visitSlice } from './engine/slices/visit-slice.ts';
export { readSliceFile } from './slice-job.ts';
