/**
 * The time limits of all tests. They end a run that hangs and say nothing about speed: on two cores with other work, a test
 * of seconds takes minutes.
 */
export const testLimitMs = 900_000;
/** For one condition that a test waits for, and for one call of a tool. */
export const waitLimitMs = 300_000;
/** Between two looks at a condition, each of which most often is a call of a tool. */
export const pollIntervalMs = 100;
