import { randomUUID } from 'node:crypto';
import { Failure } from '../platform/errors.ts';
import type { Attachment, PresentedError, Tool, ToolContext, ToolResult, Toolset } from './tool.ts';

export type CallOutcome =
  | ({ ok: true; attachments: Attachment[] } & ToolResult)
  | { ok: false; failure: Failure; error: PresentedError; attachments: Attachment[] };

/**
 * The one boundary around every tool, whichever door the call came through: what a tool throws becomes an answer in the
 * toolset's own error shape. A bug is logged with an id, and only the id is told.
 */
export async function callTool(
  toolset: Toolset,
  tool: Tool,
  args: unknown,
  context: Omit<ToolContext, 'attach'>,
  wait = false,
): Promise<CallOutcome> {
  const attachments: Attachment[] = [];
  const log = context.log.child({ tool: tool.name });
  const begun = performance.now();
  const ended = (outcome: string) => log.debug({ outcome, ms: Math.round(performance.now() - begun) }, 'called');
  try {
    const attach: ToolContext['attach'] = (attachment) => void attachments.push(attachment);
    const result = await tool.invoke(args, { ...context, log, attach }, wait);
    ended('ok');
    return { ok: true, ...result, attachments };
  } catch (error) {
    const failure = asFailure(error, context.signal, log);
    ended(failure.code);
    return { ok: false, failure, error: toolset.presentError(failure, tool.name), attachments };
  }
}

/** What would help whoever made this call, where the failure knows. */
export function hintOf({ details }: Failure): string | undefined {
  return typeof details['hint'] === 'string' ? details['hint'] : undefined;
}

function asFailure(error: unknown, signal: AbortSignal, log: ToolContext['log']): Failure {
  if (error instanceof Failure) return error;
  if (signal.aborted) return new Failure('unavailable', 'CANCELLED', 'The call was cancelled.');
  const id = randomUUID();
  log.error({ err: error, errorId: id }, 'a tool failed in a way nobody planned for');
  return new Failure(
    'internal',
    'INTERNAL',
    `Internal error ${id}. This is a defect in Assay, not in the call; the log on stderr has the details under this id.`,
    { errorId: id },
  );
}
