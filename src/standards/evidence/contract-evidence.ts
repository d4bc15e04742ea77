import { Failure, quote } from '../../platform/errors.ts';
import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { readProjectFile } from '../spec/project-file.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import { parseYaml } from '../spec/yaml-source.ts';
import type { EvidenceSource } from './evidence-source.ts';

type Contract = WorkingSpec['contracts'][number];

export interface ContractEvidence {
  type: Contract['type'];
  path: string;
  /** Number of operations, types, messages or interactions. */
  definitions: number;
  problem: string | undefined;
  source: EvidenceSource | undefined;
}

const MAX_BYTES = 8 * 1024 * 1024;

/** Checks that each declared contract exists and parses as its type. */
export async function readContractEvidence(
  root: string,
  contracts: readonly Contract[],
  nowMs: number,
): Promise<ContractEvidence[]> {
  return Promise.all(contracts.map((contract) => readContract(root, contract, nowMs)));
}

async function readContract(root: string, { type, path }: Contract, nowMs: number): Promise<ContractEvidence> {
  try {
    const file = await readProjectFile(root, path, { what: 'the contract', maxBytes: MAX_BYTES });
    const { definitions, problem } = await contractReaders[type](file.text);
    const source: EvidenceSource = {
      path: file.path,
      sha256: file.sha256,
      modified: new Date(file.modifiedMs).toISOString(),
      age_seconds: Math.max(0, Math.round((nowMs - file.modifiedMs) / 1000)),
      state: problem ? 'invalid' : 'fresh',
      ...(problem && { note: problem }),
    };
    return { type, path, definitions, problem, source };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { type, path, definitions: 0, problem: error.message, source: undefined };
  }
}

interface ContractReading {
  definitions: number;
  problem?: string;
}

const noDefinitions = (what: string): ContractReading => ({ definitions: 0, problem: `it defines no ${what}` });
const notParsed = (error: unknown, what: string): ContractReading => {
  const detail = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  return { definitions: 0, problem: `it is not a valid ${what}: ${quote(detail, 200)}` };
};

/** The parsers are loaded on first use. In the bundle a CommonJS module has only a default export. */
const contractReaders: Record<Contract['type'], (text: string) => Promise<ContractReading>> = {
  async openapi(text) {
    const document = parseYamlOrJson(text);
    if (!document) return { definitions: 0, problem: 'it is neither a YAML nor a JSON map' };
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    const { valid, errors } = await new Validator().validate(document);
    if (!valid) {
      const first = Array.isArray(errors) ? errors[0] : undefined;
      return notParsed(first ? `${first.instancePath} ${first.message}` : errors, 'OpenAPI document');
    }
    const paths = isJsonObject(document['paths']) ? Object.values(document['paths']) : [];
    const verbs = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
    const operations = paths.flatMap((path) =>
      isJsonObject(path) ? verbs.filter((verb) => Object.hasOwn(path, verb)) : [],
    );
    return operations.length === 0 ? noDefinitions('operation') : { definitions: operations.length };
  },
  async graphql(text) {
    const { default: graphql } = await import('graphql/language/parser.js');
    try {
      const { definitions } = graphql.parse(text, { maxTokens: 200_000, noLocation: true });
      const types = definitions.filter(
        ({ kind }) => /Definition$|Extension$/.test(kind) && !/^(?:Operation|Fragment)/.test(kind),
      );
      return types.length === 0 ? noDefinitions('type') : { definitions: types.length };
    } catch (error) {
      return notParsed(error, 'GraphQL schema');
    }
  },
  async proto(text) {
    const { default: protobuf } = await import('protobufjs');
    try {
      const { root } = protobuf.parse(text, { keepCase: true });
      const found = countDefinitions(root.toJSON());
      return found === 0 ? noDefinitions('message or service') : { definitions: found };
    } catch (error) {
      return notParsed(error, 'proto file');
    }
  },
  async pact(text) {
    const pact = parseYamlOrJson(text);
    const named = (part: unknown) => isJsonObject(part) && typeof part['name'] === 'string' && part['name'] !== '';
    if (!pact || !named(pact['consumer']) || !named(pact['provider']))
      return { definitions: 0, problem: 'it has no consumer or no provider' };
    const interactions = [pact['interactions'], pact['messages']].flatMap((list) => (Array.isArray(list) ? list : []));
    return interactions.length === 0 ? noDefinitions('interaction') : { definitions: interactions.length };
  },
  async 'json-schema'(text) {
    const schema = parseYamlOrJson(text);
    if (!schema) return { definitions: 0, problem: 'it is neither a YAML nor a JSON map' };
    const problem = await findSchemaProblem(schema);
    if (problem !== undefined) return notParsed(problem, 'JSON Schema');
    const inside = ['properties', '$defs', 'definitions'].flatMap((key) =>
      isJsonObject(schema[key]) ? Object.keys(schema[key]) : [],
    );
    return inside.length === 0 ? noDefinitions('property') : { definitions: inside.length };
  },
};

/** Validates a schema against its draft; without `$schema`, against the latest. */
async function findSchemaProblem({ $schema: named, ...schema }: JsonObject): Promise<string | undefined> {
  const draft = /draft[-/](\d+|\d{4}-\d{2})\/schema/.exec(String(named ?? 'draft/2020-12/schema'))?.[1] ?? '';
  const { default: latest } = await import('ajv/dist/2020.js');
  const { default: before } = await import('ajv/dist/2019.js');
  const { default: seven } = await import('ajv');
  const makers: Readonly<Record<string, () => InstanceType<typeof seven.Ajv>>> = {
    '2020-12': () => new latest.Ajv2020({ strict: false }),
    '2019-09': () => new before.Ajv2019({ strict: false }),
    '07': () => new seven.Ajv({ strict: false }),
    // Draft 07 accepts every draft 06 schema.
    '06': () => new seven.Ajv({ strict: false }),
  };
  const make = Object.hasOwn(makers, draft) ? makers[draft] : undefined;
  if (!make) return `$schema ${quote(named)} is not one of the drafts 06, 07, 2019-09 and 2020-12`;
  try {
    const ajv = make();
    return (await ajv.validateSchema(schema)) ? undefined : ajv.errorsText();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function parseYamlOrJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : parseYaml(text, '').value;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Counts messages, enums and services at any depth. */
function countDefinitions(node: unknown): number {
  if (!isJsonObject(node)) return 0;
  const own = ['fields', 'values', 'methods'].some((key) => Object.hasOwn(node, key)) ? 1 : 0;
  const nested = isJsonObject(node['nested']) ? Object.values(node['nested']) : [];
  return nested.reduce<number>((sum, child) => sum + countDefinitions(child), own);
}
