import type * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import type { KeptPicture } from '../platform/files/kept-picture.ts';
import type { AddressGuard } from '../platform/network/address-guard.ts';
import { type NextSteps, nextStepOf } from '../platform/next-steps.ts';
import type { Principal } from '../platform/principal.ts';
import type { PlatformServices } from '../platform/services.ts';
import type { SharedInstances } from '../platform/shared-instances.ts';
import { presentResult } from '../platform/text/untrusted-result.ts';
import { cleanText } from '../platform/text/untrusted-text.ts';
import { checkArgumentSize, explainArgumentIssues } from './arguments.ts';
import { type LongReply, readReplyRequest, shortenedField, shortenReply, withReplyArguments } from './long-reply.ts';

/** What goes with a result in addition to its data: a picture, or a link to something too big to send. */
export type Attachment =
  /** `reference` is what the keys of the result contain for the picture. */
  (KeptPicture & { type: 'picture'; reference: string }) | (Link & { type: 'link' });

interface Link {
  uri: string;
  name: string;
  mimeType?: string;
  description?: string;
}

export interface ToolContext extends PlatformServices {
  /** Aborted when the caller cancels, disconnects, or the server shuts down. */
  signal: AbortSignal;
  progress(done: number, total?: number, message?: string): void;
  attachLink(link: Link): void;
  /** Shows a picture with the result. Returns the value for its key in the result (`pictureSchema`). */
  attachPicture(picture: KeptPicture): string;
  principal: Principal;
  /** Relative paths in arguments start here. */
  cwd: string;
  /** Objects that live between calls in this process. Arguments refer to their parts by id, and each part has an owner. */
  shared: SharedInstances['shared'];
  /** Throws for a path outside the folders that the operator allows to HTTP callers. */
  checkPath(path: string): Promise<void>;
  /** The addresses that may be visited for this caller; all of them for the local user. */
  addresses(): Promise<AddressGuard>;
  /** The private addresses that may be visited, as data for another process; undefined allows all. */
  allowedPrivateAddresses: readonly string[] | undefined;
  /** The caller is a program without a limit for what it reads: its replies are not cut. */
  wholeReplies?: boolean;
}

/** A tool context without the parts that belong to one reply. */
export type CallContext = Omit<ToolContext, 'attachLink' | 'attachPicture'>;

/** What a tool does to the world: nothing, add or change, or take away. */
export type Effect = 'read' | 'write' | 'destroy';

interface ToolMetadata {
  name: string;
  title: string;
  /** Purpose and keywords in the first sentence: a model chooses among many by it. */
  description: string;
  effect: Effect;
  /** Calling it twice with the same arguments does no more than calling it once. Reading always is. */
  idempotent?: boolean;
  /** It visits sites or other systems outside this machine. */
  openWorld?: boolean;
  scope: string;
  /**
   * It touches this machine's own files, or visits whatever address it is given. Over HTTP such a tool is served only
   * where the operator names its toolset, and for files the folders too. `programs`: it starts programs of a project, and is
   * served over HTTP only where the operator names the tool itself, with folders.
   */
  local?: 'files' | 'browsing' | 'programs';
  /** Calls an hour for one client over HTTP, where its specification says so. */
  perHour?: number;
}

interface ToolDefinition<Input extends z.ZodRawShape, Output extends z.ZodRawShape> extends ToolMetadata {
  input: z.ZodObject<Input>;
  output: z.ZodObject<Output>;
  /** `entries.offset`: the entries that the reply skips, for a tool with a limit of its own. */
  run(
    args: z.output<z.ZodObject<Input>>,
    context: ToolContext,
    entries: { offset: number },
  ): Promise<z.output<z.ZodObject<Output>>>;
  /** Keys of the result are data, such as file names: it is checked, but sent as it is, since a copy would lose `__proto__`. */
  exact?: boolean;
  /** The text block, if it is not the result as JSON. */
  text?(result: z.output<z.ZodObject<Output>>): string;
  /** How a caller gets the rest of a reply that is too long. */
  longReply?: LongReply;
  /** Gets the result and what the reply shows of it, when the caller may send that back to another tool. */
  noteReply?(args: z.output<z.ZodObject<Input>>, context: ToolContext, reply: SentReply<Output>): Promise<void>;
  /** For a tool that starts long work: waits for its end, with progress. What it returns stands for the outcome. */
  follow?(result: z.output<z.ZodObject<Output>>, context: ToolContext): Promise<Record<string, unknown>>;
}

interface SentReply<Output extends z.ZodRawShape> {
  data: z.output<z.ZodObject<Output>>;
  /** The data, cleaned and cut. */
  shown: Record<string, unknown>;
  /** The entries of lists that were skipped. */
  offset: number;
}

export interface ToolResult {
  data: Record<string, unknown>;
  /** What a model reads of it. */
  text: string;
  /** Positions of strings that come from a page, a repository or a document. */
  untrusted: string[];
}

export interface Tool extends ToolMetadata {
  input: z.ZodObject;
  output: z.ZodObject;
  /** Parses the arguments, runs, checks the result; on request, follows the work that was started to its end. */
  invoke(args: unknown, context: ToolContext, wait?: boolean): Promise<ToolResult>;
  canWait: boolean;
}

/** The one shape that every tool has. Arguments that the schema does not name are refused. */
export function defineTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { input: shape, run, follow, text, exact = false, longReply = {}, noteReply, ...facts } = definition;
  const output = definition.output.extend({ shortened: shortenedField });
  const strict = withReplyArguments(shape, longReply).strict();
  return {
    ...facts,
    input: strict,
    output,
    canWait: follow !== undefined,
    async invoke(args, context, wait = false) {
      checkArgumentSize(facts.name, args);
      const parsed = strict.safeParse(args);
      if (!parsed.success) {
        const { message, issues } = explainArgumentIssues(
          facts.name,
          Object.keys(strict.shape),
          parsed.error.issues,
          args,
        );
        throw new Failure('bad_input', 'INVALID_ARGUMENTS', message, { issues });
      }
      const { own, request } = readReplyRequest(parsed.data, longReply, context.wholeReplies === true);
      // The rest of the arguments is what the schema of the tool has parsed.
      const input = own as z.output<z.ZodObject<Input>>;
      const { offset } = request;
      const result = await run(input, context, { offset });
      const checked = definition.output.parse(result);
      if (wait && follow) return asJson(presentResult(await follow(checked, context)));
      const whole = presentResult(exact ? result : checked, output);
      const presented = { ...whole, data: shortenReply(whole.data, output, request, longReply) };
      await noteReply?.(input, context, { data: checked, shown: presented.data, offset });
      if (!text) return asJson(presented);
      return { ...presented, text: cleanText(text(presented.data), { max: Number.POSITIVE_INFINITY }) };
    },
  };
}

function asJson(presented: Omit<ToolResult, 'text'>): ToolResult {
  return { ...presented, text: JSON.stringify(presented.data) };
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  scope: string;
  /** The tools that it names. It is served only together with all of them. */
  tools: readonly string[];
  args: z.ZodObject;
  complete: Record<string, Completer>;
  /** Parses the arguments and writes the text that the user's model gets. */
  write(args: unknown): string;
}

/** Proposes values for a half-typed argument. */
export type Completer = (typed: string, context: ResourceContext) => Promise<string[]>;

export function definePrompt<Args extends z.ZodObject>(
  definition: Omit<Prompt, 'args' | 'complete' | 'write'> & {
    args: Args;
    complete?: Record<string, Completer>;
    write(args: z.output<Args>): string;
  },
): Prompt {
  const { args: schema, complete = {}, write, ...facts } = definition;
  return {
    ...facts,
    args: schema,
    complete,
    write(args) {
      checkArgumentSize(facts.name, args);
      const parsed = schema.safeParse(args);
      if (parsed.success) return cleanText(write(parsed.data), { max: Number.POSITIVE_INFINITY });
      const { message, issues } = explainArgumentIssues(
        facts.name,
        Object.keys(schema.shape),
        parsed.error.issues,
        args,
      );
      throw new Failure('bad_input', 'INVALID_ARGUMENTS', message, { issues });
    },
  };
}

/** Something readable under a URI template such as `coverage://snapshots/{snapshotId}`. */
export interface Resource {
  name: string;
  title: string;
  description: string;
  uriTemplate: string;
  mimeType: string;
  scope: string;
  complete: Record<string, Completer>;
  list(context: ResourceContext): Promise<{ uri: string; name: string; description?: string; mimeType?: string }[]>;
  /** Undefined if it does not exist or belongs to another owner. */
  read(variables: Record<string, string>, context: ResourceContext): Promise<ResourceContent | undefined>;
}

export type ResourceContext = Omit<CallContext, 'progress'>;

/** Text, or the bytes of a file with what they are. */
export type ResourceContent = string | { data: Uint8Array; mimeType: string; path: string };

/** How a failure looks on the wire: each specification has its own shape. */
export interface PresentedError {
  text: string;
  /** The next step, where the specification defines the text. A second text has it then. */
  hint?: string | undefined;
  structured?: Record<string, unknown>;
}

/** Creates the text `Error: <message>` with the next step after it, for specifications that define no structure. */
export function presentPlainError(failure: Failure, nextSteps: NextSteps): PresentedError {
  const { message, code } = failure;
  const hint = nextStepOf(failure, nextSteps);
  return { text: `Error: ${message}`, hint, structured: { error: message, code, ...(hint !== undefined && { hint }) } };
}

/** The tools, prompts and resources of a toolset, with the shape of its errors. */
export interface ToolDefinitions {
  name: string;
  title: string;
  /** One paragraph for people and models: the purpose of the tools and where to start. */
  summary: string;
  /** What users ask first, each with the tool that answers it. Hosts with few tools list only these. */
  questions: readonly StartingQuestion[];
  /** For long work that a tool starts: how to learn of its end. */
  polling?: PollingRule | undefined;
  tools: readonly Tool[];
  prompts: readonly Prompt[];
  resources: readonly Resource[];
  /** `tool`: the name of the tool that failed. */
  presentError(failure: Failure, tool: string): PresentedError;
}

/** A question of a user, and the first tool to call for it. */
export interface StartingQuestion {
  question: string;
  tool: string;
}

/** How to poll, in words that follow "Poll with that id, by", and the tools for it. */
export interface PollingRule {
  how: string;
  tools: readonly string[];
}

type OptionalParts = 'questions' | 'prompts' | 'resources';

export function defineTools(
  definitions: Omit<ToolDefinitions, OptionalParts> & Partial<Pick<ToolDefinitions, OptionalParts>>,
): ToolDefinitions {
  return { questions: [], prompts: [], resources: [], ...definitions };
}
