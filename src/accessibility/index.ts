/** The API of this domain for the rest of the program. */
export { runEngine } from './engine/run-engine.ts';
