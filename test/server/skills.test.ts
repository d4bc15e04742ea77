import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { type Connection, connectHttp, connectStdio, root, startHttp } from '../support/assay.ts';

const names = readdirSync(join(root, 'skills'));
const toolNames = (await describeCatalog()).toolsets.flatMap(({ tools }) => tools.map(({ name }) => name));

const skill = z.object({
  uri: z.string(),
  frontmatter: z.object({ name: z.string(), description: z.string() }),
  resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.number() })),
});
const list = async (client: Connection) =>
  (await client.request({ method: 'skills/list', params: {} }, z.object({ skills: z.array(skill) }))).skills;

test('serves every skill with the digest of its file', async () => {
  await using client = await connectStdio('modern');
  const skills = await list(client);
  expect(skills.map(({ frontmatter }) => frontmatter.name).toSorted()).toEqual(names.toSorted());
  for (const { uri, frontmatter, resources } of skills) {
    expect(uri).toBe(`skill://${frontmatter.name}/SKILL.md`);
    const [content] = (await client.readResource({ uri })).contents;
    const text = content && 'text' in content ? content.text : '';
    expect(resources[0]?.digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
    const got = await client.request({ method: 'skills/get', params: { uri } }, z.object({ skill }));
    expect(got.skill.uri).toBe(uri);
  }
  const listed = (await client.listResources()).resources.map(({ uri }) => uri);
  expect(listed).toEqual(expect.arrayContaining(skills.map(({ uri }) => uri)));
});

test('serves only skills about the served tools', async () => {
  await using server = await startHttp({ args: ['--toolsets', 'coverage', '--folders', '.'] });
  await using client = await connectHttp('modern', server);
  const skills = (await list(client)).map(({ frontmatter }) => frontmatter.name);
  expect(skills.toSorted()).toEqual(['check-test-coverage', 'is-this-change-done']);
  await expect(client.readResource({ uri: 'skill://test-website/SKILL.md' })).rejects.toThrow(/not found/i);
  await expect(client.readResource({ uri: 'skill://../package.json' })).rejects.toThrow(/not found/i);
  await expect(
    client.request({ method: 'skills/get', params: { uri: 'skill://none/SKILL.md' } }, z.object({ skill })),
  ).rejects.toThrow(/skills\/list/);
});

test.each(names)('%s names only tools that exist', (name) => {
  const text = readFileSync(join(root, 'skills', name, 'SKILL.md'), 'utf8');
  const mentioned = [...text.matchAll(/`((?:get|start|end|caws|cwac|federal\w+?|qa)_[a-z_]+)`/g)].map(
    ([, tool]) => tool,
  );
  expect(mentioned.length).toBeGreaterThan(3);
  expect(mentioned.filter((tool) => !toolNames.includes(tool ?? ''))).toEqual([]);
});

test('ships the plugin with the version of the package', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  expect(read('.claude-plugin/plugin.json').version).toBe(read('package.json').version);
  expect(read('package.json').files).toEqual(expect.arrayContaining(['skills', '.claude-plugin']));
});
