import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerHome } from '../../src/platform/principal.ts';
import { loadCatalog } from '../../src/tool/catalog.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import {
  type Connection,
  callOn,
  connectHttp,
  connectStdio,
  type HttpServer,
  type Result,
  startHttp,
} from '../support/assay.ts';
import { type Folder, filesIn, newFolder } from '../support/folders.ts';
import { embeddedBytes } from '../support/server/pictures.ts';
import { samples } from '../support/server/tenant-samples.ts';
import {
  createEverything,
  discoverForm,
  type FormSite,
  type Ids,
  serveForm,
  type Tenant,
} from '../support/server/tenants.ts';
import { type Provider, startProvider } from '../support/services/provider.ts';

/** Which kind of id an argument or a variable of a resource holds. Each argument that is named like an id must be here. */
const kinds: Record<string, keyof Ids> = {
  snapshotId: 'snapshot',
  scan_id: 'scan',
  scanId: 'scan',
  session_id: 'session',
  wizard_id: 'wizard',
  projectId: 'project',
  prdFileId: 'prdFile',
  secretId: 'secret',
  candidateIds: 'candidate',
  approvedCandidateIds: 'candidate',
  useCaseId: 'useCase',
  testCaseId: 'testCase',
  testCaseIds: 'testCase',
  testScriptId: 'testScript',
  testScriptIds: 'testScript',
  workflowRuntimeId: 'runtime',
  workflowRunId: 'run',
  runBatchId: 'batch',
  filterIds: 'project',
  reportId: 'report',
  artifactId: 'artifact',
  runPicture: 'runPicture',
  discoveryPicture: 'discoveryPicture',
};

/** Arguments that name a new thing. That it cannot take the place of another tenant's is a test of its own. */
const newIds = new Set(['federalscout_complete_discovery wizard_id']);

/** Arguments that only choose among what the caller owns: an unknown id chooses nothing. */
const filters = new Set(['qa_report_cost_query filterIds']);

/** `is not of`: another argument is the caller's own, and does not belong to this id. */
const saysMissing = /not.found|there is no |no scan found|is not of |belongs to |does not belong to /i;

/** Tools that change something only if one of these is given too. */
const changes: Record<string, Record<string, unknown>> = {
  qa_project_update: { projectName: 'Taken over' },
  qa_secret_update: { value: 'another value' },
  qa_test_case_upsert: { title: 'Taken over', goal: 'x', expectedResult: 'x' },
};

/** Resources of a repository: every caller with access to its folder (--folders) may read them. */
const ofRepository = /^(?:caws|skill):/;

/** Not ids: the other variables of resources. */
const variables: Record<string, string> = { file: 'report.html' };

const audience = 'https://assay.example/mcp';
const cleanup = new AsyncDisposableStack();
let provider: Provider;
let folder: Folder;
let home: string;
let server: HttpServer;
let sharedSite: FormSite;
let alice: Tenant;
let bob: Tenant;
let local: Connection;

beforeAll(async () => {
  provider = cleanup.use(await startProvider(audience));
  folder = cleanup.use(await newFolder());
  await folder.write('any.info', 'SF:a\nDA:1,1\nend_of_record\n');
  const env = await scanEnvironment(folder);
  home = env['ASSAY_HOME'] ?? '';
  sharedSite = cleanup.use(await serveForm('shared'));
  local = cleanup.use(await connectStdio('modern', { cwd: folder.path, env }));
  // The operator discovers a form, and publishes it; another wizard stays the operator's own.
  await discoverForm(callOn(local), sharedSite, 'local-form', 'Of the operator');
  const text = await readFile(join(home, 'wizards/local-form.json'), 'utf8');
  await folder.write('published/common-form.json', text.replace('"local-form"', '"common-form"'));
  const { toolsets } = await loadCatalog();
  const names = toolsets.map(({ name }) => name).join();
  const reach = ['--folders', '.', '--allow-addresses', '127.0.0.1', '--shared-wizards', 'published'];
  const oauth = ['--oauth-issuer', provider.issuer, '--public-url', audience, '--rate-limits', '*=100000'];
  server = cleanup.use(await startHttp({ args: ['--toolsets', names, ...reach, ...oauth], cwd: folder.path, env }));
  const scope = [...new Set(toolsets.flatMap(({ tools }) => tools.map((tool) => tool.scope)))].join(' ');
  const everything = async (sub: string) => {
    const token = await provider.token({ sub, client_id: sub, scope });
    const client = cleanup.use(await connectHttp('modern', { url: server.url, token }));
    const tenant = await createEverything(client, folder, sub);
    cleanup.use(tenant.site);
    return tenant;
  };
  [alice, bob] = await Promise.all([everything('alice'), everything('bob')]);
});
afterAll(() => cleanup.disposeAsync());

interface ToolWithIds {
  name: string;
  readOnly: boolean;
  required: string[];
  ids: string[];
  /** Arguments that take a list. */
  lists: Set<string>;
}

async function served(): Promise<ToolWithIds[]> {
  const { tools } = await bob.client.listTools();
  return tools.map(({ name, annotations, inputSchema }) => {
    const properties: Record<string, { type?: string }> = JSON.parse(JSON.stringify(inputSchema.properties ?? {}));
    return {
      name,
      readOnly: annotations?.readOnlyHint === true,
      required: inputSchema.required ?? [],
      ids: idsIn(name, inputSchema, properties),
      lists: new Set(Object.keys(properties).filter((argument) => properties[argument]?.type === 'array')),
    };
  });
}

/** The arguments that are named like ids. One within another argument would have to be put there by this test first. */
function idsIn(tool: string, schema: object, properties: object): string[] {
  const names = new Set<string>();
  JSON.stringify(schema, (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value)) names.add(name);
    return value;
  });
  const ids = [...names].filter((name) => /(?:^|_)ids?$|Ids?$/.test(name));
  const nested = ids.filter((name) => !(name in properties));
  if (nested.length > 0) throw new Error(`${tool} takes the id ${nested.join()} within another argument: try it here`);
  return ids;
}

function kindOf(argument: string, where: string): keyof Ids {
  const kind = kinds[argument];
  if (!kind) throw new Error(`${where} takes the id ${argument}: say in "kinds" what it is the id of`);
  return kind;
}

/** The arguments that a tool requires, with ids of the tenant. */
function argumentsFor({ name, required, ids, lists }: ToolWithIds, { ids: own }: Tenant): Record<string, unknown> {
  const given = required.map((argument): [string, unknown] => {
    if (ids.includes(argument)) {
      const [id] = own[kindOf(argument, name)];
      return [argument, lists.has(argument) ? [id] : id];
    }
    if (!(argument in samples)) throw new Error(`${name} requires ${argument}: give a value for it in "samples"`);
    return [argument, samples[argument]];
  });
  return { ...Object.fromEntries(given), ...changes[name] };
}

/** An id of the same form that no owner has. */
const neverGiven = (id: string) => (id.endsWith('-form') ? 'unknown-form' : `${id.slice(0, -6)}000000`);

/** Pictures may differ by a pixel. */
const withoutPictures = (key: string, value: unknown) =>
  key === 'data' && typeof value === 'string' ? undefined : value;

/** The result or error for a caller, without pictures, their numbers and times. The requested id is replaced by `<id>`. */
async function answerTo(asking: () => Promise<unknown>, id?: string): Promise<string> {
  const text = await asking().then(
    (result) => {
      expect(embeddedBytes(Object(result))).toEqual([]);
      return JSON.stringify(result, withoutPictures);
    },
    (error: Error) => `rejected: ${error.message}`,
  );
  const timeless = text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  const anyId = id === undefined ? timeless : timeless.replaceAll(id, '<id>');
  return anyId.replaceAll(/(?<=wizards:\/\/discoveries\/[\w<>-]+)\.\d+\.jpg/g, '.<number>.jpg');
}

/** Where the specification of QA has a code of its own for what another tenant owns. */
const asUnknown = (answer: string) =>
  answer
    .replaceAll(/FORBIDDEN/g, 'NOT_FOUND')
    .replaceAll(/The ([a-z ]+ \\*"<id>\\*") belongs to another owner\./g, 'There is no $1.');

/** Expects that an answer contains nothing of the other tenant. */
function expectNothingOf({ marker, ids }: Tenant, answer: string, where: string): void {
  const secrets = [marker, ...Object.entries(ids).flatMap(([kind, all]) => (kind === 'wizard' ? [] : all))];
  expect(
    secrets.filter((secret) => answer.includes(secret)),
    `${where} reveals ${answer}`,
  ).toEqual([]);
}

describe('another caller', () => {
  test('gets "not found" from every tool with an id, and changes nothing', async () => {
    const before = await everythingOf(alice);
    let tried = 0;
    for (const tool of await served())
      for (const argument of tool.ids) {
        if (newIds.has(`${tool.name} ${argument}`)) continue;
        const kind = kindOf(argument, tool.name);
        for (const id of [...alice.ids[kind], ...(kind === 'wizard' ? ['local-form'] : [])]) {
          const ask = (asked: string) => () => {
            const args = { ...argumentsFor(tool, bob), [argument]: tool.lists.has(argument) ? [asked] : asked };
            return bob.client.callTool({ name: tool.name, arguments: args });
          };
          const where = `${tool.name} with ${argument} ${id}`;
          const [theirs, none] = [await answerTo(ask(id), id), await answerTo(ask(neverGiven(id)), neverGiven(id))];
          expect(asUnknown(theirs), where).toBe(none);
          // Otherwise both may be rejected for another reason before the id is looked up.
          if (!filters.has(`${tool.name} ${argument}`)) expect(none, where).toMatch(saysMissing);
          expectNothingOf(alice, theirs, where);
          tried++;
        }
      }
    for (const tool of (await served()).filter(({ ids }) => ids.length > 1)) {
      const all = tool.ids.map((argument): [string, unknown] => {
        const [id] = alice.ids[kindOf(argument, tool.name)];
        return [argument, tool.lists.has(argument) ? [id] : id];
      });
      const args = { ...argumentsFor(tool, bob), ...Object.fromEntries(all) };
      const result = await bob.client.callTool({ name: tool.name, arguments: args });
      expect(result.isError, `${tool.name} with every id`).toBe(true);
      expect(JSON.stringify(result)).not.toContain(alice.marker);
    }
    expect(tried).toBeGreaterThan(80);
    expect(await everythingOf(alice)).toEqual(before);
  });

  test('gets "not found" for every resource', async () => {
    const { resourceTemplates } = await bob.client.listResourceTemplates();
    const owned = resourceTemplates.filter(({ uriTemplate }) => !ofRepository.test(uriTemplate));
    expect(owned.length).toBeGreaterThan(3);
    for (const { uriTemplate } of owned) {
      const names = [...uriTemplate.matchAll(/\{\+?(\w+)\}/g)].map(([, name = '']) => name);
      const idName = names.find((name) => !(name in variables)) ?? '';
      for (const id of alice.ids[kindOf(idName, uriTemplate)]) {
        const read = (client: Connection, asked: string) => () => {
          const uri = names.reduce((all, name) => all.replace(`{${name}}`, variables[name] ?? asked), uriTemplate);
          return client.readResource({ uri });
        };
        const theirs = await answerTo(read(bob.client, id), id);
        expect(theirs).toBe(await answerTo(read(bob.client, neverGiven(id)), neverGiven(id)));
        expect(theirs).toMatch(/not found/i);
        await expect(read(alice.client, id)(), uriTemplate).resolves.toBeDefined();
      }
    }
  });

  test('sees nothing in lists and completions', async () => {
    const answers: string[] = [JSON.stringify(await bob.client.listResources())];
    for (const tool of await served())
      if (tool.readOnly && tool.required.length === 0)
        answers.push(JSON.stringify(await bob.client.callTool({ name: tool.name, arguments: {} })));
    const { resourceTemplates } = await bob.client.listResourceTemplates();
    const { prompts } = await bob.client.listPrompts();
    const arguments_ = [
      ...resourceTemplates.flatMap(({ uriTemplate }) =>
        [...uriTemplate.matchAll(/\{\+?(\w+)\}/g)].map(([, name = '']) => ({
          ref: { type: 'ref/resource' as const, uri: uriTemplate },
          name,
        })),
      ),
      ...prompts.flatMap((prompt) =>
        (prompt.arguments ?? []).map(({ name }) => ({ ref: { type: 'ref/prompt' as const, name: prompt.name }, name })),
      ),
    ];
    for (const { ref, name } of arguments_) {
      const begun = kinds[name] ? alice.ids[kinds[name]].map((id) => id.slice(0, 6)) : [];
      for (const value of ['', ...begun])
        answers.push(JSON.stringify(await bob.client.complete({ ref, argument: { name, value } })));
    }
    for (const answer of answers) {
      // Report files lie in the folder that both may touch, and are proposed by their path.
      const files = answer.replaceAll(/"[^"]*\.info"/g, '');
      expectNothingOf(alice, files, 'a list');
      expect(files).not.toContain('alice-form');
      expect(files).not.toContain('local-form');
    }
    expect(answers.join()).toContain(bob.ids.snapshot[0]);
    expect(answers.join()).toContain('bob-form');
  });
});

test('keeps the wizard of a tenant when another one saves the same id', async () => {
  const wizard_id = 'alice-form';
  const saved = await discoverForm(bob.call, bob.site, wizard_id, 'Taken over');
  expect(saved).toMatchObject({ wizard_id: 'alice-form.json', previous_version: null });
  const [atAlice, atBob] = [alice.site.sent.length, bob.site.sent.length];
  const run = await alice.call('federalrunner_execute_wizard', { wizard_id, user_data: { full_name: 'Private name' } });
  expect(run.status).toBe('success');
  expect(alice.site.sent.slice(atAlice)).toEqual(['Private name']);
  expect(bob.site.sent.slice(atBob)).toEqual([]);
  await bob.call('federalrunner_execute_wizard', { wizard_id, user_data: { full_name: 'Own name' } });
  expect(bob.site.sent.slice(atBob)).toEqual(['Own name']);
  expect(alice.site.sent.slice(atAlice)).toEqual(['Private name']);
});

describe('a shared wizard', () => {
  const wizard_id = 'common-form';

  test('is listed, described, validated and run by every caller', async () => {
    const sent = sharedSite.sent.length;
    for (const { call, ids, marker } of [alice, bob]) {
      const { wizards } = await call('federalrunner_list_wizards');
      const listed = wizards.map(({ wizard_id: id, shared }: Result) => [id, shared]);
      expect(listed).toContainEqual(['common-form.json', true]);
      expect(listed).toContainEqual([`${ids.wizard[0]}.json`, false]);
      const user_data = { full_name: marker };
      expect(await call('federalrunner_get_wizard_info', { wizard_id })).toMatchObject({ name: 'Of the operator' });
      expect(await call('federalrunner_validate_user_data', { wizard_id, user_data })).toMatchObject({ valid: true });
      expect((await call('federalrunner_execute_wizard', { wizard_id, user_data })).status).toBe('success');
    }
    expect(sharedSite.sent.slice(sent)).toEqual([alice.marker, bob.marker]);
    const records = filesIn(home).filter((path) => path.includes('/runs/common-form/') && path.endsWith('.jsonl'));
    const whose = records.map((path) => relative(home, path).split('/').slice(0, 2).join('/'));
    const owners = ['alice', 'bob'].map((subject) => relative(home, ownerHome(home, ownerOf(subject))));
    expect(whose.sort()).toEqual(owners.sort());
  });

  test('cannot be overwritten', async () => {
    await expect(discoverForm(bob.call, bob.site, wizard_id, 'Taken over')).rejects.toThrow(
      /wizard_id_shared.*another wizard_id/,
    );
    expect(filesIn(join(folder.path, 'published'))).toEqual([join(folder.path, 'published/common-form.json')]);
  });
});

test('gives the local user the wizards of the data folder, over HTTP with the printed token too', async () => {
  const env = { ASSAY_HOME: home };
  await using printed = await startHttp({ args: [], cwd: folder.path, env });
  await using client = await connectHttp('modern', printed);
  for (const call of [callOn(local), callOn(client)]) {
    const { wizards } = await call('federalrunner_list_wizards');
    expect(wizards.map((one: Result) => one.wizard_id)).toEqual(['local-form.json']);
    await expect(call('federalrunner_get_wizard_info', { wizard_id: 'alice-form' })).rejects.toThrow(
      'wizard_not_found',
    );
  }
});

const ownerOf = (subject: string) => ({ issuer: provider.issuer, subject });

/** All that a tenant can read by the tools, and all files in the tenant's folder. */
async function everythingOf(tenant: Tenant): Promise<unknown> {
  const read: Record<string, string> = {};
  // The others read reports and repositories, which belong to no tenant.
  const reading = (await served()).filter(({ name, readOnly }) => readOnly && !/^caws_|_coverage$|_lines$/.test(name));
  for (const tool of reading) {
    const [argument] = tool.ids;
    let answered = 0;
    for (const id of argument ? tenant.ids[kindOf(argument, tool.name)] : [undefined]) {
      const asked = argument && { [argument]: tool.lists.has(argument) ? [id] : id };
      const ask = () =>
        tenant.client.callTool({ name: tool.name, arguments: { ...argumentsFor(tool, tenant), ...asked } });
      const answer = await answerTo(ask, id);
      read[`${tool.name} ${id}`] = answer;
      if (!answer.includes('"isError":true')) answered++;
    }
    // A run of one kind is not found by the tools for another; each tool finds what it is for.
    expect(answered, `${tool.name} for the owner`).toBeGreaterThan(0);
  }
  const root = ownerHome(home, ownerOf('alice'));
  const files = await Promise.all(
    filesIn(root).map(async (path) => [
      relative(root, path),
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ]),
  );
  expect(files.length).toBeGreaterThan(10);
  return { read, files: Object.fromEntries(files) };
}
