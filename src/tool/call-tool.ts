import { randomUUID } from 'node:crypto';
import { toEnvironmentFailure } from '../platform/environment-failure.ts';
import { Failure } from '../platform/errors.ts';
import { localIssuer } from '../platform/principal.ts';
import { cleanValue } from '../platform/text/untrusted-result.ts';
import { cleanText } from '../platform/text/untrusted-text.ts';
import { logCall } from './audit.ts';
import { shortenDetails } from './long-reply.ts';
import { pictureReference } from './picture.ts';
import type {
  Attachment,
  CallContext,
  PresentedError,
  Tool,
  ToolContext,
  ToolDefinitions,
  ToolResult,
} from './tool.ts';

export type CallOutcome =
  | ({ ok: true; attachments: Attachment[] } & ToolResult)
  | { ok: false; failure: Failure; error: PresentedError; attachments: Attachment[] };

/**
 * The boundary around every tool call, for MCP and the command line: an error of the tool becomes a result in the error shape
 * of its toolset. An unexpected error is logged with an id, and the caller gets only the id.
 */
export async function callTool(
  toolset: ToolDefinitions,
  tool: Tool,
  args: unknown,
  context: CallContext,
  wait = false,
): Promise<CallOutcome> {
  const attachments: Attachment[] = [];
  const log = context.log.child({ tool: tool.name });
  const startedAt = performance.now();
  const logOutcome = (outcome: string, data?: unknown) => {
    const durationMs = performance.now() - startedAt;
    const { principal } = context;
    logCall(context.log, { principal, subject: { tool: tool.name }, outcome, durationMs, args, data });
  };
  try {
    const attachLink: ToolContext['attachLink'] = (link) =>
      void attachments.push({ type: 'link', ...cleanValue(link) });
    const attachPicture: ToolContext['attachPicture'] = (picture) => {
      const reference = pictureReference(picture, context.setting);
      attachments.push({ type: 'picture', reference, ...cleanValue(picture) });
      return reference;
    };
    const progress: ToolContext['progress'] = (done, total, message) =>
      context.progress(done, total, message && cleanText(message, { max: MAX_PROGRESS_LENGTH, multiline: false }));
    const result = await tool.invoke(args, { ...context, log, attachLink, attachPicture, progress }, wait);
    logOutcome('ok', result.data);
    return { ok: true, ...result, attachments };
  } catch (error) {
    const typed = toFailure(error, context.signal, log);
    const clean = cleanFailure(context.principal.issuer === localIssuer ? typed : typed.forRemoteCaller());
    const failure = context.wholeReplies ? clean : shortenFailure(clean);
    logOutcome(failure.code);
    const presented = cleanValue(toolset.presentError(failure, tool.name));
    return { ok: false, failure, error: presented, attachments };
  }
}

const MAX_PROGRESS_LENGTH = 300;
const MAX_MESSAGE_LENGTH = 5_000;
/** Together these stay below the limit of a reply. */
const MAX_REPLY_MESSAGE_LENGTH = 2_500;
const MOST_REPLY_DETAIL_BYTES = 2_500;

/** Messages and details may quote untrusted text of pages and files. */
function cleanFailure(failure: Failure): Failure {
  const { kind, code, message, details } = failure;
  const clean = cleanText(message, { max: MAX_MESSAGE_LENGTH });
  return new Failure(kind, code, clean, { ...cleanValue(details) }, { cause: failure.cause });
}

function shortenFailure({ kind, code, message, details, cause }: Failure): Failure {
  const short = cleanText(message, { max: MAX_REPLY_MESSAGE_LENGTH });
  return new Failure(kind, code, short, shortenDetails(details, MOST_REPLY_DETAIL_BYTES), { cause });
}

function toFailure(error: unknown, signal: AbortSignal, log: ToolContext['log']): Failure {
  if (error instanceof Failure) return error;
  if (signal.aborted) return new Failure('unavailable', 'CANCELLED', 'The call was cancelled.');
  const environment = toEnvironmentFailure(error);
  if (environment) {
    log.error({ err: error }, 'system error in tool');
    return environment;
  }
  const id = randomUUID();
  log.error({ err: error, errorId: id }, 'unhandled error in tool');
  return new Failure(
    'internal',
    'INTERNAL',
    `Internal error ${id}. This is a defect in Assay, not in the call; the log on stderr has the details under this id.`,
    { errorId: id },
  );
}
