import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createJobs } from '../../../src/platform/jobs/jobs.ts';
import { createQaStore, type QaStore } from '../../../src/qa/store/qa-store.ts';
import { localUser } from '../../../src/server/auth.ts';
import { root } from '../assay.ts';
import type { Folder } from '../folders.ts';
import { isolatedGit, newRepo, plainEnvironment, type Repo } from '../git/repos.ts';
import { openTestStore } from '../open-store.ts';
import { owner } from '../qa/qa-results.ts';
import { criterion, specText } from '../standards/governed-repo.ts';
import { MARKER } from './marker.ts';

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** Prose of a number of characters, as a page, a repository or a document has it. */
const prose = (length: number) => `The ${MARKER} enters the address and the order is sent. `.repeat(length / 50);
const own = (length: number) => 'The guest enters the address and the order is sent. '.repeat(length / 50);

export interface LargeHome {
  scanId: string;
  wizardId: string;
  candidateIds: string[];
  qa: Record<
    | 'projectId'
    | 'useCaseId'
    | 'testCaseId'
    | 'testScriptId'
    | 'runBatchId'
    | 'replay'
    | 'scan'
    | 'detection'
    | 'generation'
    | 'bulk'
    | 'report',
    string
  >;
}

/** Fills a home as months of work would, without doing any of it: rows, results folders and wizards. */
export async function fillLargeHome(folder: Folder): Promise<LargeHome> {
  const home = join(folder.path, 'home');
  await using store = await openTestStore({ home, url: undefined });
  const jobs = createJobs(store);
  const scanId = await addScans(folder, jobs);
  const { candidateIds, ...qa } = await addProjects(createQaStore(store));
  const ended = { state: 'succeeded', ended_at: Date.now() } as const;
  const resultsDir = join(home, 'accessibility/results', RESULTS, '/');
  await store.db
    .updateTable('jobs')
    .set({ ...ended, result: JSON.stringify({ resultsDir, exitCode: 0 }) })
    .where('id', '=', scanId)
    .execute();
  // It holds the only slot of its owner, so no work that a test starts is done.
  await jobs.submit('qa.scan', localUser, {});
  const running = { state: 'running', worker: 'another', lease_until: Date.now() + 1e9 } as const;
  await store.db.updateTable('jobs').set(running).where('state', '=', 'queued').execute();
  return { scanId, qa, candidateIds, wizardId: await addWizards(folder) };
}

const CART = `https://shop.example/cart-${MARKER}`;
const RESULTS = '2026-11-01_09-00-00_shop';

async function addScans(folder: Folder, jobs: ReturnType<typeof createJobs>): Promise<string> {
  const scanId = randomUUID();
  const payload = {
    scanId,
    owner: { ...localUser },
    auditName: 'shop',
    warnings: times(60, prose.bind(null, 200)),
    inside: null,
  };
  await jobs.submit('accessibility.scan', localUser, payload, { id: scanId });
  const header =
    'organisation,sector,page_title,base_url,url,viewport_size,audit_id,page_id,audit_type,issue_id,description,target,num_issues,help,helpUrl,id,impact,html,tags,best-practice';
  const rows = times(4_000, (n) =>
    [
      ...[
        'shop.example',
        'unknown',
        `Page ${n} ${MARKER}`,
        'https://shop.example',
        `https://shop.example/products/${n}`,
      ],
      ...[
        '{}',
        `${n}_small`,
        n,
        'AxeCoreAudit',
        `issue${n}`,
        prose(150),
        `main > ul > li:nth-child(${n}) > a > img.${MARKER}`,
      ],
      ...[
        1,
        prose(100),
        `https://rules.example/${n % 300}/${MARKER}`,
        `rule-${n % 300}-${MARKER}`,
        'serious',
        `<img src='${n}-${MARKER}.png'>`,
      ],
      ...['wcag2a', 'No'],
    ].join(','),
  );
  const config = { base_urls_visit_path: `./base_urls/visit/mcp_${scanId.slice(0, 8)}/`, audit_name: 'shop' };
  const table = `${[header, ...rows].join('\n')}\n`;
  await folder.write(`home/accessibility/results/${RESULTS}/config.json`, JSON.stringify(config));
  await folder.write(`home/accessibility/results/${RESULTS}/axe_core_audit.csv`, table);
  await Promise.all(
    times(150, (n) => {
      const day = new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
      return folder.write(`home/accessibility/results/${day}_09-00-00_shop/title_audit.csv`, `${header}\n${rows[n]}\n`);
    }),
  );
  return scanId;
}

async function addWizards(folder: Folder): Promise<string> {
  const example = JSON.parse(await readFile(join(root, 'examples/wizards/benefit-calculator.json'), 'utf8'));
  const [page] = example.pages;
  const [field] = page.fields;
  const large = {
    ...{ ...example, wizard_id: 'large-form', total_pages: 20, url: 'http://127.0.0.1:9/' },
    pages: times(20, (number) => ({
      ...{ ...page, page_number: number + 1, page_title: `Part ${number + 1}: ${prose(100)}` },
      fields: times(15, (n) => ({
        ...field,
        ...{
          label: `Question ${number}.${n}: ${prose(150)}`,
          field_id: `field_${number}_${n}`,
          selector: `#f${n}-${MARKER}`,
        },
      })),
    })),
  };
  await folder.write('home/wizards/large-form.json', JSON.stringify(large));
  for (const n of times(120, (index) => index)) {
    const wizard = { ...example, wizard_id: `form-${n}`, description: prose(300) };
    await folder.write(`home/wizards/form-${n}.json`, JSON.stringify(wizard));
  }
  await Promise.all(times(60, (n) => folder.write(`home/wizards/broken-${n}.json`, '{"wizard_id":')));
  return 'large-form';
}

async function addProjects(store: QaStore): Promise<LargeHome['qa'] & { candidateIds: string[] }> {
  const url = 'https://shop.example/';
  const [project] = await store.projects.insertAll(
    times(120, (n) => ({ owner, name: `Shop ${n}`, description: own(900), url, testRequirements: own(900) })),
  );
  if (!project) throw new Error('no project');
  const of = { owner, projectId: project.id };
  const [prd] = await store.prdFiles.insertAll(
    times(60, (n) => ({
      ...{ ...of, fileName: `requirements-${n}.md`, contentType: 'text/markdown', fileSize: 10_000, sha256: `${n}` },
      text: prose(500),
    })),
  );
  const requirements = await store.requirements.insertAll(
    times(300, (position) => ({
      ...{
        ...of,
        prdFileId: prd?.id ?? '',
        position,
        kind: 'requirement',
        ref: `R${position}-${MARKER}`,
        section: `Orders ${MARKER}`,
      },
      text: prose(200),
    })),
  );
  await store.gaps.insertAll(
    times(200, (position) => ({
      ...of,
      runId: null,
      position,
      ref: `R${position}-${MARKER}`,
      text: prose(200),
      reason: prose(200),
    })),
  );
  const cases = await addCases(
    store,
    of,
    requirements.map(({ id }) => id),
  );
  const runs = await addRuns(store, { ...of, ...cases });
  return { ...runs, ...cases, projectId: project.id };
}

type Of = { owner: string; projectId: string };

async function addCases(store: QaStore, of: Of, requirementIds: string[]) {
  const described = { class: 'checkout', title: `Check out ${MARKER}`, description: prose(300), userStory: prose(100) };
  const facts = { ...described, url: CART, priority: 'HIGH', source: 'scan', details: {} };
  const breakdown = times(12, () => ({ requirement: prose(150), acceptanceCriteria: prose(200) }));
  const shared = { ...of, ...facts, breakdown, requirements: requirementIds.slice(0, 30) };
  const candidates = await store.candidates.insertAll(
    times(150, (n) => ({ ...shared, fingerprint: `${n}`, status: 'candidate', confidence: 0.9, rank: n })),
  );
  await store.evidence.insertAll(
    candidates.flatMap(({ id }) =>
      times(4, (position) => ({
        ...{ ...of, candidateId: id, position, pageUrl: `${CART}/${position}`, notes: prose(300) },
      })),
    ),
  );
  const [useCase] = await store.useCases.insertAll(times(150, () => ({ ...shared, status: 'APPROVED' })));
  const useCaseId = useCase?.id ?? '';
  const steps = times(60, (n) => ({ step: n + 1, action: prose(100), expected: prose(100) }));
  const testCases = await store.testCases.insertAll(
    times(200, (position) => ({
      ...{ ...of, useCaseId, position, fingerprint: `${position}`, status: 'ACTIVE', source: 'generated' },
      ...{ title: `Case ${position}: ${prose(50)}`, description: prose(500), goal: prose(200), steps, data: {} },
      ...{ expectedResult: prose(200), oracle: 'specified', url: CART, priority: 'HIGH' },
      ...{ instructions: prose(1_000), category: 'Functional', tags: ['smoke', 'cart'], details: {} },
    })),
  );
  const click = {
    do: 'click',
    on: { name: `Order ${MARKER}`, ladder: [{ by: 'role', role: 'button', value: 'Order now' }] },
  };
  const failure = { kind: 'unproven', reason: prose(150) };
  const mutants = times(30, (n) => ({ name: `Mutation ${n}: ${prose(50)}`, noticed: 0, unnoticedBy: [prose(100)] }));
  const scripts = await store.testScripts.insertAll(
    testCases.map(({ id, title }) => ({
      ...{ ...of, useCaseId, testCaseId: id, version: 1, status: 'active', source: 'generation', name: title },
      ...{ url: CART, steps: [{ do: 'goto', url: '/' }, ...times(80, () => click)] },
      ...{ spec: `await page.getByRole('button').click(); // ${prose(30)}\n`.repeat(120), secrets: ['SECRET_1'] },
      ...{ durationMs: 1500, details: { failure, mutants } },
    })),
  );
  return {
    candidateIds: candidates.map(({ id }) => id),
    useCaseId,
    testCaseId: testCases[0]?.id ?? '',
    testScriptId: scripts[0]?.id ?? '',
    scripts,
  };
}

async function addRuns(
  store: QaStore,
  { owner: by, projectId, useCaseId, testCaseId, testScriptId, scripts }: Of & Awaited<ReturnType<typeof addCases>>,
) {
  const of = { owner: by, projectId };
  const result = {
    pages: 500,
    scripts: times(200, (n) => ({ testScriptId: `ts_${n}`, name: prose(100), error: prose(100) })),
  };
  const kinds = ['scan', 'detection', 'generation', 'replay', 'bulk', 'report'] as const;
  const ids = { useCaseId, testCaseId, testScriptId };
  const latest: Record<string, string> = {};
  const newest: Record<string, string> = {};
  for (const kind of kinds) {
    const runtimes = await store.runtimes.insertAll(
      times(60, (n) => ({
        ...{ ...of, ...ids, kind: `qa.${kind}`, status: 'active', payload: {}, inside: null, name: `${kind} ${n}` },
      })),
    );
    const runs = await store.runs.insertAll(
      runtimes.map(({ id }) => ({
        ...{
          ...of,
          ...ids,
          runtimeId: id,
          kind: `qa.${kind}`,
          status: 'failed',
          progress: 100,
          result,
          checkpoint: null,
        },
        ...{
          verdict: 'failed',
          failureClass: 'product_defect',
          error: prose(900),
          message: prose(300),
          startedAt: 1,
          endedAt: 2,
        },
      })),
    );
    latest[kind] = runtimes[0]?.id ?? '';
    newest[kind] = runs[0]?.id ?? '';
  }
  await store.stepResults.insertAll(
    times(90, (position) => ({
      ...{ ...of, runId: newest['replay'] ?? '', attempt: 1, position, action: 'click', description: prose(150) },
      ...{ status: 'failed', healed: 0, error: prose(300), durationMs: 700, details: {} },
    })),
  );
  const details = { verdict: 'failed', failureClass: 'product_defect', error: prose(300), at: 1, healed: 0 };
  await store.testScripts.update(testScriptId, {
    details: {
      latest: { ...details, runId: newest['replay'] ?? '' },
      mutants: times(30, (n) => ({ name: `M${n}`, noticed: 0, unnoticedBy: [prose(100)] })),
    },
  });
  const batch = await store.batches.insert({
    ...of,
    runtimeId: latest['bulk'] ?? '',
    runId: newest['bulk'] ?? '',
    name: 'Nightly',
    total: 200,
  });
  await store.batchItems.insertAll(
    scripts.map((script, position) => ({
      ...{ ...of, batchId: batch.id, position, repetition: 0, testScriptId: script.id, testCaseId: script.testCaseId },
      ...{
        status: 'failed',
        runId: newest['replay'] ?? '',
        failureClass: 'product_defect',
        error: prose(400),
        durationMs: 9,
      },
    })),
  );
  await store.costs.insertAll(
    scripts.flatMap((script, n) =>
      [0, 1].map((half) => ({
        ...{
          ...of,
          runId: newest['replay'] ?? '',
          kind: 'qa.replay',
          useCaseId,
          testCaseId: script.testCaseId,
          testScriptId: script.id,
        },
        ...{ day: '20260101', browserMs: 2000, pages: 1, steps: 2, screenshots: 1, bytes: 1_000_000 },
        createdAt: Date.UTC(2025, 0, 1 + n * 2 + half),
      })),
    ),
  );
  const report = await store.reports.insert({
    ...{ ...of, runId: newest['report'] ?? '', format: 'html', status: 'succeeded', document: {}, artifacts: [] },
  });
  const deliveries = await store.deliveries.insertAll(
    times(40, (n) => ({
      ...{
        ...of,
        reportId: report.id,
        channel: 'email',
        target: `team-${n}@shop.example`,
        status: 'failed',
        attempts: 5,
        error: prose(300),
      },
    })),
  );
  await store.deliveryAttempts.insertAll(
    deliveries.flatMap(({ id }) =>
      times(5, (number) => ({ ...of, deliveryId: id, number, status: 'failed', response: prose(200), durationMs: 9 })),
    ),
  );
  return { ...latest, runBatchId: batch.id } as Record<(typeof kinds)[number] | 'runBatchId', string>;
}

/** A repository with a long history and a large change, governed by a spec with many criteria. */
export async function newLargeRepository(): Promise<Repo> {
  const criteria = times(120, (n) => criterion(`A${n + 1}`, `the case ${n + 1}, ${prose(100)}`, prose(100)));
  const repo = await newRepo({
    '.caws/working-spec.yaml': specText({ acceptance: criteria }),
    '.gitignore': '/coverage/\n/reports/\n',
    ...Object.fromEntries(
      times(400, (n) => [`src/feature-${n}/module-with-a-${MARKER}-name-${n}.js`, 'export const a = 1;\n']),
    ),
  });
  const commits = times(400, (n) => {
    const message = `feat(shop): change number ${n}\n\n${prose(300)}\n`;
    const content = `export const b = ${n};\n`;
    const file = `src/feature-${n % 40}/module-with-a-${MARKER}-name-${n % 40}.js`;
    return [
      `commit refs/heads/main`,
      `committer Tester ${MARKER} <tester@example.test> ${1_700_000_000 + n * 9_000} +0000`,
      `data ${Buffer.byteLength(message)}\n${message}`,
      ...(n === 0 ? ['from refs/heads/main^0'] : []),
      `M 100644 inline ${file}\ndata ${content.length}\n${content}`,
    ].join('\n');
  });
  const env = { ...plainEnvironment(), ...isolatedGit };
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repo.path, env, input: `${commits.join('\n')}\n` });
  repo.git('reset', '-q', '--hard');
  repo.git('checkout', '-q', '-b', `work-${MARKER}`);
  await repo.put(
    Object.fromEntries(
      times(400, (n) => [
        `src/feature-${n}/module-with-a-${MARKER}-name-${n}.js`,
        times(9, (line) => `let x${line} = ${n};`).join('\n'),
      ]),
    ),
  );
  const covered = times(
    400,
    (n) =>
      `SF:src/feature-${n}/module-with-a-${MARKER}-name-${n}.js\n${times(9, (line) => `DA:${line + 1},0\n`).join('')}end_of_record\n`,
  );
  await repo.put({ 'coverage/lcov.info': covered.join('') });
  return repo;
}
