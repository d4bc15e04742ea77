import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServedSurface } from '../../src/server/served-surface.ts';
import { chooseSurface, type SurfaceChoice } from '../../src/server/surface.ts';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { loadToolset } from '../../src/tool/toolsets.ts';
import { type Connection, connectStdio } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { bareServices } from '../support/server/bare-services.ts';
import { putWizard } from '../support/wizards/wizards.ts';

const catalog = await describeCatalog();
const allTools = catalog.toolsets.flatMap(({ tools }) => tools.map(({ name }) => name));
const toolsNamedIn = (text: string) =>
  new Set(text.match(/[a-z]+(?:_[a-z]+)+/g)?.filter((name) => allTools.includes(name)));

const choices: [string, SurfaceChoice][] = [
  ['everything', {}],
  ...catalog.toolsets.map(({ name }): [string, SurfaceChoice] => [`--toolsets ${name}`, { toolsets: [name] }]),
  ['--read-only', { readOnly: true }],
  ['--tools cwac_get_summary', { tools: ['cwac_get_summary'] }],
  ['--exclude-tools cwac_scan_status', { excludeTools: ['cwac_scan_status'] }],
];

describe.each(choices)('with %s', (_name, choice) => {
  const surface = chooseSurface(catalog, choice);
  const served = createServedSurface(surface, bareServices({ loadToolset }));
  const unserved = (text: string) => [...toolsNamedIn(text)].filter((name) => !served.tools.has(name));

  test('the instructions name only served tools, and polling only for long work', () => {
    expect(unserved(served.instructions)).toEqual([]);
    const startsWork = ['cwac_scan_status', 'qa_workflow_get_website_scan_latest_run'].some((name) =>
      served.tools.has(name),
    );
    expect(served.instructions.includes('Poll with that id')).toBe(startsWork);
  });

  test('prompts and skills lead only to served tools', async () => {
    const prompts = surface.toolsets.flatMap((toolset) => toolset.prompts);
    expect(prompts.flatMap(({ tools }) => tools).filter((name) => !served.tools.has(name))).toEqual([]);
    for (const { uri } of await served.skills.list()) {
      const named = [...toolsNamedIn((await served.skills.read(uri)) ?? '')];
      const complete = catalog.toolsets.filter(({ tools }) => {
        const own = named.filter((name) => tools.some((tool) => tool.name === name));
        return own.length > 0 && own.every((name) => served.tools.has(name));
      });
      expect(complete, uri).not.toEqual([]);
    }
  });
});

test('lists the skills of one toolset only with the tools they need', async () => {
  const skillsOf = async (choice: SurfaceChoice) => {
    const { skills } = createServedSurface(chooseSurface(catalog, choice), bareServices({ loadToolset }));
    return (await skills.list()).map(({ frontmatter }) => frontmatter.name);
  };
  expect(await skillsOf({ toolsets: ['accessibility'] })).toContain('scan-accessibility');
  expect(await skillsOf({ toolsets: ['accessibility'], readOnly: true })).not.toContain('scan-accessibility');
});

const examples: Record<string, string> = { pages: '5', url: 'http://127.0.0.1:1/', specFile: '.caws/a.yaml' };

describe.each(catalog.toolsets)('$name', ({ name: toolset, prompts, tools }) => {
  test('has prompts, whose texts name exactly the tools that they declare', async () => {
    expect(prompts.length).toBeGreaterThan(0);
    const definitions = (await loadToolset(toolset)).prompts;
    for (const prompt of definitions) {
      const names = Object.keys(prompt.args.shape);
      const text = prompt.write(Object.fromEntries(names.map((name) => [name, examples[name] ?? 'x1'])));
      expect([...toolsNamedIn(text)].toSorted(), prompt.name).toEqual([...prompt.tools].toSorted());
      expect(prompt.tools.filter((name) => !tools.some((tool) => tool.name === name))).toEqual([]);
    }
  });
});

describe('argument completion', () => {
  let folder: Folder;
  let client: Connection;
  beforeAll(async () => {
    folder = await newFolder();
    client = await connectStdio('modern', { cwd: folder.path, env: { ASSAY_HOME: `${folder.path}/home` } });
  });
  afterAll(async () => {
    await client.close();
    await folder[Symbol.asyncDispose]();
  });
  const complete = async (name: string, argument: string, value: string) =>
    (await client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } })).completion
      .values;

  test('proposes working specs', async () => {
    await folder.write('.caws/working-spec.yaml', 'id: A-1\n');
    expect(await complete('check_change_is_done', 'specFile', '.ca')).toEqual(['.caws/working-spec.yaml']);
    expect(await complete('check_change_is_done', 'specFile', 'x')).toEqual([]);
  });

  test('proposes recorded forms', async () => {
    await putWizard(join(folder.path, 'home'), 'aid-estimator', 'http://127.0.0.1:1', 'my-form');
    expect(await complete('fill_in_web_form', 'wizard_id', 'my')).toEqual(['my-form.json']);
    expect(await complete('fill_in_web_form', 'wizard_id', 'no')).toEqual([]);
  });

  test('proposes QA projects, the newest first', async () => {
    const created: string[] = [];
    for (const projectName of ['First', 'Second']) {
      const args = { projectName, description: projectName, url: 'http://127.0.0.1:1/' };
      const { structuredContent } = await client.callTool({ name: 'qa_project_create', arguments: args });
      created.unshift(JSON.parse(JSON.stringify(structuredContent)).projectId);
    }
    expect(await complete('keep_suite_green', 'projectId', '')).toEqual(created);
    expect(await complete('keep_suite_green', 'projectId', created[0] ?? '')).toEqual([created[0]]);
  });
});
