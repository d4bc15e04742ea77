/** What other rooms may use. */
export { runEngine } from './engine/run-engine.ts';
export { chooseEngine } from './scan-engine.ts';
