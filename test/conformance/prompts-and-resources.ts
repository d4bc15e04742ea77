/** The prompts and resources that the conformance suite expects. */
import {
  acceptedContent,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ServedPrompt, ServedResource } from '../../src/server/served-surface.ts';
import { askFor, PNG } from './payloads.ts';

function prompt(
  name: string,
  get: (context: ServerContext, args: Record<string, string>) => GetPromptResult | InputRequiredResult,
  ...names: string[]
): ServedPrompt {
  const args = names.map((argument) => ({ name: argument, description: 'A test argument', required: true }));
  return {
    listing: { name, description: `Conformance fixture ${name}`, arguments: args },
    get: async (given, context) => get(context, given),
    complete: async (_argument, typed) => ['paris', 'park', 'party'].filter((value) => value.startsWith(typed)),
  };
}

const userMessages = (...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});

export function prompts(): ServedPrompt[] {
  return [
    prompt('test_simple_prompt', () => userMessages({ type: 'text', text: 'This is a simple prompt for testing.' })),
    prompt(
      'test_prompt_with_arguments',
      (_context, { arg1, arg2 }) =>
        userMessages({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
      'arg1',
      'arg2',
    ),
    prompt(
      'test_prompt_with_embedded_resource',
      (_context, { resourceUri = '' }) =>
        userMessages(
          {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
          { type: 'text', text: 'Please process the embedded resource above.' },
        ),
      'resourceUri',
    ),
    prompt('test_prompt_with_image', () =>
      userMessages(
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
    ),
    prompt('test_input_required_result_prompt', ({ mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
      if (given) return userMessages({ type: 'text', text: given.context });
      return inputRequired({ inputRequests: { user_context: askFor('Which context?', 'context') } });
    }),
  ];
}

function resource(name: string, mimeType: string, body: { text: string } | { blob: string }): ServedResource {
  const uri = `test://${name}`;
  return {
    template: { name, uriTemplate: uri, mimeType },
    list: async () => [{ name, uri, mimeType }],
    read: async () => ({ contents: [{ uri, mimeType, ...body }] }),
    complete: async () => [],
  };
}

export function resources(): ServedResource[] {
  return [
    resource('static-text', 'text/plain', { text: 'This is the content of the static text resource.' }),
    resource('static-binary', 'image/png', { blob: PNG }),
    resource('watched-resource', 'text/plain', { text: 'Watched resource content' }),
    {
      template: { name: 'template', uriTemplate: 'test://template/{id}/data', mimeType: 'application/json' },
      list: async () => [],
      read: async (uri, { id }) => ({
        contents: [
          {
            uri,
            mimeType: 'application/json',
            text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          },
        ],
      }),
      complete: async () => [],
    },
  ];
}
