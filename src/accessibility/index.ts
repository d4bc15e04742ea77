/** The API of this domain for the rest of the program. */
export { runEngine } from './engine/run-engine.ts';
export { chooseEngine } from './scan-engine.ts';
