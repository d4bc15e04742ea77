/**
 * The time limits of all tests. They end a run that hangs; they say nothing about speed, since what takes seconds takes
 * minutes beside other work on two cores.
 */
export const testLimitMs = 900_000;
/** For one condition that a test waits for, and for one call of a tool. */
export const waitLimitMs = 300_000;
