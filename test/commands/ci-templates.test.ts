import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { callOn, connectHttp, type Result } from '../support/assay.ts';
import { startTestedCafe, type TestedCafe } from '../support/ci/cafe.ts';
import { readJenkinsfile } from '../support/ci/jenkinsfile.ts';
import { testCasesIn } from '../support/ci/junit-file.ts';
import { type Registry, startRegistry } from '../support/ci/registry.ts';
import { type Folder, newFolder } from '../support/folders.ts';

// Browsers on a machine that others use, too.

let cafe: TestedCafe;
let folder: Folder;
let registry: Registry;
beforeAll(async () => {
  cafe = await startTestedCafe();
  folder = await newFolder();
  registry = await startRegistry(folder);
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await cafe[Symbol.asyncDispose]();
});

interface Run {
  command: string;
  env: Record<string, string>;
}

/** What each system would run, and with which variables besides those that its operator sets. */
function runIn({ path, content }: { path: string; content: string }, baseUrl: string): Run {
  const filled = (value: unknown) => (/base_?url/i.test(String(value)) ? baseUrl : undefined);
  if (path.endsWith('.sh')) return { command: content, env: { ASSAY_BASE_URL: baseUrl } };
  if (path === 'Jenkinsfile') {
    const within = (name: string, list = [readJenkinsfile(content)]): typeof list =>
      list.flatMap((one) => (one.name === name ? [one] : within(name, one.body ?? [])));
    return { command: String(within('sh')[0]?.args[0]?.value), env: { ASSAY_BASE_URL: baseUrl } };
  }
  const file = parse(content);
  const steps = file.jobs?.qa?.steps ?? file.jobs?.[0]?.steps ?? [];
  const step = steps.find((one: Result) => typeof one.run === 'string' || one.script || one.run?.command) ?? {};
  const job = Object.values<Result>(file).find((one) => one?.script)?.script;
  const command = job?.[0] ?? step.script ?? step.run?.command ?? step.run;
  const given = filled(
    step.env?.ASSAY_BASE_URL ?? file.jobs?.qa?.environment?.ASSAY_BASE_URL ?? (file.variables && 'base_url'),
  );
  return { command, env: given === undefined ? {} : { ASSAY_BASE_URL: given } };
}

/** Runs a line as it stands, on a machine that knows nothing but where packages come from. */
async function runs({ command, env }: Run): Promise<{ code: number | null; said: string; results: number }> {
  await using here = await newFolder();
  const child = spawn('sh', ['-c', command], {
    cwd: here.path,
    env: {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
      HOME: folder.path,
      npm_config_registry: registry.url,
      npm_config_cache: join(folder.path, 'npm'),
      ...{ ...cafe.remote, ASSAY_PROJECT: cafe.projectId, ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const file = join(here.path, 'assay-results/junit.xml');
  return { code: await code, said: out + err, results: existsSync(file) ? testCasesIn(file).length : 0 };
}

test('runs every recommended CI template, with the exit code of its result', async () => {
  const wanted = new Map<string, Run>();
  let templates = 0;
  await using client = await connectHttp('modern', cafe.server);
  for (const repositoryProvider of ['github', 'azureDevOps', 'gitlab', 'other'])
    for (const cadence of ['onPullRequest', 'nightly', 'onDemand'])
      for (const named of [{}, { projectId: cafe.projectId }]) {
        const args = { repositoryProvider, cadence, ...named };
        const { recommendations } = await callOn(client)('qa_recommend_cicd_setup', args);
        for (const { template } of recommendations) {
          const run = runIn(template, cadence === 'onDemand' ? cafe.broken.url : ' ');
          expect(run.command, template.path).toMatch(/npx --yes assay-mcp@\d/);
          templates++;
          // Many systems run the same line: once is enough.
          wanted.set(JSON.stringify([run.command.replaceAll(/^#.*$/gm, ''), run.env]), run);
        }
      }
  expect(templates).toBe(36);
  const check = async (run: Run) => {
    const { code, said: output, results } = await runs(run);
    expect(code, `${run.command}\n${output}`).toBe(run.env['ASSAY_BASE_URL'] === cafe.broken.url ? 1 : 0);
    expect(results, output).toBe(2);
  };
  const [first, ...left] = wanted.values();
  // The first one fetches the package, and the others find it.
  if (first) await check(first);
  expect(registry.fetched).toContainEqual(expect.stringMatching(/^assay-mcp-\d/));
  const checkSome = async () => {
    for (let run = left.pop(); run; run = left.pop()) await check(run);
  };
  await Promise.all([checkSome(), checkSome(), checkSome()]);
});
