import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folders.ts';
import { openapi } from '../../../test/support/standards/governed-repo.ts';
import { readContractEvidence } from './contract-evidence.ts';

async function read(type: Parameters<typeof readContractEvidence>[1][number]['type'], text: string) {
  await using folder = await newFolder();
  await folder.write('contract', text);
  const [found] = await readContractEvidence(folder.path, [{ type, path: 'contract' }], Date.now());
  return found;
}

const pact = { consumer: { name: 'shop' }, provider: { name: 'bank' }, interactions: [{ description: 'pays' }] };
const tuple = { type: 'object', properties: { a: { items: [{ type: 'string' }] } } };
const draft = (name: string) => ({ $schema: `http://json-schema.org/${name}/schema#`, ...tuple });

test.each([
  ['openapi', openapi, 1],
  [
    'openapi',
    JSON.stringify({ openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: { '/a': { get: {} } } }),
    1,
  ],
  ['graphql', 'type Query { a: Int }\nenum E { X }\n', 2],
  ['proto', 'syntax = "proto3";\nmessage A { string b = 1; }\nservice S { rpc Do(A) returns (A); }\n', 2],
  ['pact', JSON.stringify(pact), 1],
  ['json-schema', '{"properties":{"a":{"type":"string"},"b":true}}', 2],
  ['json-schema', JSON.stringify(draft('draft-07')), 1],
  ['json-schema', '$schema: https://json-schema.org/draft/2020-12/schema\n$defs: { a: { type: string } }\n', 1],
] as const)('%s: %s has %i definitions', async (type, text, definitions) => {
  expect(await read(type, text)).toMatchObject({ definitions, problem: undefined, source: { state: 'fresh' } });
});

test.each([
  ['openapi', 'just words', /neither a YAML nor a JSON map/],
  ['openapi', openapi.replace("version: '1'", 'name: x'), /not a valid OpenAPI.*version/],
  ['openapi', 'openapi: 3.0.3\ninfo: { title: a, version: "1" }\npaths: {}\n', /no operation/],
  ['graphql', 'type Query {', /not a valid GraphQL schema/],
  ['graphql', 'query { a }', /no type/],
  ['proto', 'message A { string = 1; }', /not a valid proto file/],
  ['proto', 'syntax = "proto3";', /no message or service/],
  ['pact', JSON.stringify({ ...pact, provider: {} }), /no consumer or no provider/],
  ['pact', JSON.stringify({ ...pact, interactions: [] }), /no interaction/],
  ['json-schema', '{"type":"nonsense","properties":{"a":true}}', /not a valid JSON Schema/],
  ['json-schema', JSON.stringify(tuple), /not a valid JSON Schema.*items/],
  ['json-schema', JSON.stringify(draft('draft-04')), /draft-04.*not one of the drafts/],
  ['json-schema', '{}', /no property/],
] as const)('%s: %s is rejected', async (type, text, problem) => {
  expect(await read(type, text)).toMatchObject({
    problem: expect.stringMatching(problem),
    source: { state: 'invalid', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
});
