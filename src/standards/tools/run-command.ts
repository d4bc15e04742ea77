import { Failure } from '../../platform/errors.ts';
import type { ToolContext } from '../../tool/tool.ts';

/**
 * Runs the work of a tool with a time limit and adds the command to its errors. Programs that it started receive the
 * signal, so they end with the limit too.
 */
export async function runCommand<Context extends Pick<ToolContext, 'signal'>, Result>(
  command: string,
  context: Context,
  work: (context: Context) => Promise<Result>,
  seconds = 30,
): Promise<Result> {
  const limit = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([context.signal, limit]);
  try {
    return await Promise.race([work({ ...context, signal }), untilAborted(limit)]);
  } catch (error) {
    if (limit.aborted && !context.signal.aborted)
      throw new Failure('unavailable', 'ETIMEDOUT', `${command} took longer than ${seconds} seconds and was stopped`, {
        command,
        hint: 'Call the tool again when the machine is less busy.',
      });
    if (error instanceof Failure)
      throw new Failure(error.kind, error.code, error.message, { ...error.details, command }, { cause: error.cause });
    throw error;
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
