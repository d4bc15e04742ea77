/** What other rooms may use. */
export { runEngine } from './engine/run.ts';
export { chooseEngine } from './engines.ts';
export { scanHandler } from './scan-job.ts';
