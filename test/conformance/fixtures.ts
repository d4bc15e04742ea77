/**
 * The tools, prompts and resources whose names and payloads the conformance suite expects, in the protocol's own terms,
 * so that the suite exercises the same server and transports that the product is made of.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ServedSurface, ServedTool } from '../../src/server/served-surface.ts';
import { askFor, PNG } from './payloads.ts';
import { prompts, resources } from './prompts-and-resources.ts';

/** What only the running HTTP server can do for a fixture. */
export interface Hooks {
  toolsChanged(): void;
  promptsChanged(): void;
  dropStream(sessionId: string, requestId: string | number): void;
}

export const requestState = createRequestStateCodec<{ step: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
  ttlSeconds: 600,
});

const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

type Answer = CallToolResult | InputRequiredResult;
type Schema = ServedTool['listing']['inputSchema'];
const noArguments: Schema = { type: 'object', properties: {} };
const strings = (...names: string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] });
const sample = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 50,
  });
const stepOf = (context: ServerContext) => context.mcpReq.requestState<{ step: string }>()?.step;
const isConfirmed = (context: ServerContext, step: string) =>
  acceptedContent(context.mcpReq.inputResponses, 'confirm') !== undefined && stepOf(context) === step;
const confirm = async (step: string) =>
  inputRequired({
    inputRequests: { confirm: askFor('Please confirm', 'ok', { type: 'boolean' }) },
    requestState: await requestState.mint({ step }),
  });

function content(): ServedTool[] {
  return [
    tool('test_simple_text', async () => text('This is a simple text response for testing.')),
    tool('test_image_content', async () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] })),
    tool('test_audio_content', async () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] })),
    tool('test_embedded_resource', async () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    })),
    tool('test_multiple_content_types', async () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    })),
    tool('test_error_handling', async () => ({
      ...text('This tool intentionally returns an error for testing'),
      isError: true,
    })),
    tool('test_tool_with_logging', async ({ mcpReq }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', data);
        await pause(50);
      }
      return text('logged');
    }),
    tool('test_tool_with_progress', async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: progressToken ?? 0, progress, total: 100 },
        });
        await pause(50);
      }
      return text(String(progressToken));
    }),
    tool('test_logging_tool', async ({ mcpReq }) => {
      await mcpReq.log('info', 'only with a log level');
      return text('logged');
    }),
    tool('test_streaming_elicitation', async () => text('nothing was asked on the stream')),
  ];
}

function clientRequests(): ServedTool[] {
  const options = (label: string) => ['1', '2', '3'].map((n) => ({ const: `value${n}`, title: `${label} ${n}` }));
  const untitled = ['option1', 'option2', 'option3'];
  return [
    tool(
      'test_sampling',
      async ({ mcpReq }, { prompt }) => {
        const answer = await mcpReq.requestSampling({
          messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }],
          maxTokens: 100,
        });
        return text(`LLM response: ${JSON.stringify(answer.content)}`);
      },
      strings('prompt'),
    ),
    tool(
      'test_elicitation',
      async ({ mcpReq }, { message }) =>
        text(
          `User response: ${JSON.stringify(
            await mcpReq.elicitInput({
              message: String(message),
              requestedSchema: {
                type: 'object',
                properties: { username: { type: 'string' }, email: { type: 'string' } },
                required: ['username', 'email'],
              },
            }),
          )}`,
        ),
      strings('message'),
    ),
    tool('test_elicitation_sep1034_defaults', async ({ mcpReq }) =>
      text(
        JSON.stringify(
          await mcpReq.elicitInput({
            message: 'Defaults',
            requestedSchema: {
              type: 'object',
              properties: {
                name: { type: 'string', default: 'John Doe' },
                age: { type: 'integer', default: 30 },
                score: { type: 'number', default: 95.5 },
                status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
                verified: { type: 'boolean', default: true },
              },
              required: [],
            },
          }),
        ),
      ),
    ),
    tool('test_elicitation_sep1330_enums', async ({ mcpReq }) =>
      text(
        JSON.stringify(
          await mcpReq.elicitInput({
            message: 'Enums',
            requestedSchema: {
              type: 'object',
              properties: {
                untitledSingle: { type: 'string', enum: untitled },
                titledSingle: { type: 'string', oneOf: options('Option') },
                legacyEnum: {
                  type: 'string',
                  enum: ['opt1', 'opt2', 'opt3'],
                  enumNames: ['Option One', 'Option Two', 'Option Three'],
                },
                untitledMulti: { type: 'array', items: { type: 'string', enum: untitled } },
                titledMulti: { type: 'array', items: { anyOf: options('Choice') } },
              },
              required: [],
            },
          }),
        ),
      ),
    ),
    tool('test_missing_capability', async ({ mcpReq }) =>
      mcpReq.inputResponses?.llm ? text('ok') : inputRequired({ inputRequests: { llm: sample('pong') } }),
    ),
  ];
}

function multiRoundTrips(): ServedTool[] {
  return [
    tool('test_input_required_result_elicitation', async ({ mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
      if (given) return text(`Hello, ${given.name}!`);
      return inputRequired({ inputRequests: { user_name: askFor('What is your name?', 'name') } });
    }),
    tool('test_input_required_result_sampling', async ({ mcpReq }) =>
      mcpReq.inputResponses?.q
        ? text(JSON.stringify(mcpReq.inputResponses.q))
        : inputRequired({ inputRequests: { q: sample('What is the capital of France?') } }),
    ),
    tool('test_input_required_result_list_roots', async ({ mcpReq }) =>
      mcpReq.inputResponses?.r
        ? text(JSON.stringify(mcpReq.inputResponses.r))
        : inputRequired({ inputRequests: { r: inputRequired.listRoots() } }),
    ),
    tool('test_input_required_result_request_state', async (context) =>
      isConfirmed(context, 'state') ? text('state-ok') : confirm('state'),
    ),
    tool('test_input_required_result_tampered_state', async (context) =>
      isConfirmed(context, 'tampered') ? text('integrity-ok') : confirm('tampered'),
    ),
    tool('test_input_required_result_multiple_inputs', async ({ mcpReq: { inputResponses: given } }) =>
      given?.user_name && given.greeting && given.roots
        ? text('all inputs')
        : inputRequired({
            inputRequests: {
              user_name: askFor('What is your name?', 'name'),
              greeting: sample('Generate a greeting'),
              roots: inputRequired.listRoots(),
            },
            requestState: await requestState.mint({ step: 'multiple' }),
          }),
    ),
    tool('test_input_required_result_multi_round', async (context) => {
      const step = stepOf(context);
      if (step === 'second') return text('Multi-round complete');
      const [next, question] =
        step === 'first'
          ? ['second', { step2: askFor('Step 2: your favourite colour?', 'color') }]
          : ['first', { step1: askFor('Step 1: your name?', 'name') }];
      return inputRequired({ inputRequests: question, requestState: await requestState.mint({ step: next }) });
    }),
    tool('test_input_required_result_capabilities', async ({ mcpReq }) => {
      if (mcpReq.inputResponses) return text('done');
      const declared = z
        .object({
          [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({
            elicitation: z.unknown().optional(),
            sampling: z.unknown().optional(),
            roots: z.unknown().optional(),
          }),
        })
        .safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY];
      const inputRequests: InputRequests = {
        ...(declared?.elicitation !== undefined && { user_name: askFor('What is your name?', 'name') }),
        ...(declared?.sampling !== undefined && { greeting: sample('hi') }),
        ...(declared?.roots !== undefined && { roots: inputRequired.listRoots() }),
      };
      return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : text('nothing declared');
    }),
  ];
}

function schemas(): ServedTool[] {
  return [
    tool('json_schema_2020_12_tool', async (_context, args) => text(JSON.stringify(args)), {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    }),
    tool('test_x_mcp_header', async (_context, { region }) => text(String(region ?? '-')), headerSchema),
  ];
}

export const headerSchema = {
  type: 'object' as const,
  properties: { region: { type: 'string' as const, 'x-mcp-header': 'Region' } },
};

function hooked(hooks: Hooks): ServedTool[] {
  return [
    tool('test_trigger_tool_change', async () => {
      hooks.toolsChanged();
      return text('published');
    }),
    tool('test_trigger_prompt_change', async () => {
      hooks.promptsChanged();
      return text('published');
    }),
    tool('test_reconnection', async ({ sessionId, mcpReq }) => {
      if (sessionId) hooks.dropStream(sessionId, mcpReq.id);
      await pause(100);
      return text('reconnected');
    }),
  ];
}

function tool(
  name: string,
  call: (context: ServerContext, args: Record<string, unknown>) => Promise<Answer>,
  inputSchema: Schema = noArguments,
): ServedTool {
  return {
    listing: { name, description: `Conformance fixture ${name}`, inputSchema },
    call: (args, context) => call(context, z.record(z.string(), z.unknown()).parse(args)),
  };
}

export function withFixtures(surface: ServedSurface, hooks: Hooks): ServedSurface {
  const tools = [...content(), ...clientRequests(), ...multiRoundTrips(), ...schemas(), ...hooked(hooks)];
  return {
    ...surface,
    tools: new Map([...surface.tools, ...tools.map((entry) => [entry.listing.name, entry] as const)]),
    prompts: new Map([...surface.prompts, ...prompts().map((entry) => [entry.listing.name, entry] as const)]),
    resources: [...surface.resources, ...resources()],
  };
}
