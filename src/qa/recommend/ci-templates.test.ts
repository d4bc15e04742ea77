import { spawnSync } from 'node:child_process';
import { Cron } from 'croner';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import * as z from 'zod';
import { readJenkinsfile, type Statement } from '../../../test/support/ci/jenkinsfile.ts';
import { type CiCadence, ciCadences } from './ci-command.ts';
import { type CiTemplate, ciProviders, ciTemplates } from './ci-templates.ts';
import { recommendCi } from './recommend-ci.ts';

const wanted = (cadence: CiCadence, projectId: string | undefined = undefined) => ({
  projectId,
  cadence,
  cron: '17 2 * * *',
});
const all = (projectId?: string) =>
  ciCadences.flatMap((cadence) =>
    ciProviders.flatMap((provider) =>
      ciTemplates(provider, wanted(cadence, projectId)).map((file) => ({ cadence, ...file })),
    ),
  );

/** Parses YAML without duplicate keys and warnings. */
function yamlOf({ content, path }: Pick<CiTemplate, 'content' | 'path'>): unknown {
  const document = parseDocument(content, { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings], path).toEqual([]);
  return document.toJS();
}

const text = z.string().min(1);
const variables = z.record(z.string().regex(/^[A-Z_]+$/), z.string());
const cron = z.string().refine((pattern) => new Cron(pattern, { paused: true }).nextRun() !== null);

/** Inputs of the actions and tasks in use. */
const inputsOf: Record<string, z.ZodType> = {
  'actions/setup-node@v4': z.strictObject({ 'node-version': z.string().regex(/^\d+$/) }),
  'actions/upload-artifact@v4': z.strictObject({ name: text, path: text }),
  'NodeTool@0': z.strictObject({ versionSpec: z.string().regex(/^\d+\.x$/) }),
  'PublishTestResults@2': z.strictObject({
    testResultsFormat: z.enum(['JUnit', 'NUnit', 'VSTest', 'XUnit', 'CTest']),
    testResultsFiles: text,
  }),
  'PublishPipelineArtifact@1': z.strictObject({ targetPath: text, artifact: text }),
};
const takesItsInputs = (name: string | undefined, inputs: unknown) =>
  name === undefined || inputsOf[name]?.safeParse(inputs).success === true;

/** Schemas of the CI systems for the keys in use. Unknown keys are rejected. */
const shapes: Record<string, z.ZodType> = {
  'GitHub Actions': z.strictObject({
    name: text,
    on: z.strictObject({
      pull_request: z.null().optional(),
      schedule: z.array(z.strictObject({ cron })).min(1).optional(),
      workflow_dispatch: z
        .strictObject({
          inputs: z.record(
            z.string(),
            z.strictObject({ description: text, required: z.boolean(), type: z.literal('string') }),
          ),
        })
        .optional(),
    }),
    permissions: z.strictObject({ contents: z.literal('read') }),
    concurrency: z.strictObject({ group: text, 'cancel-in-progress': z.boolean() }),
    jobs: z.strictObject({
      qa: z.strictObject({
        if: text.optional(),
        'runs-on': text,
        'timeout-minutes': z.number().int().positive(),
        steps: z
          .array(
            z
              .strictObject({
                name: text.optional(),
                uses: z
                  .string()
                  .regex(/^actions\/[a-z-]+@v\d+$/)
                  .optional(),
                with: z.record(z.string(), z.string()).optional(),
                run: text.optional(),
                env: variables.optional(),
                if: text.optional(),
              })
              .refine(({ uses, run }) => (uses === undefined) !== (run === undefined), 'uses or run')
              .refine(({ uses, with: inputs }) => takesItsInputs(uses, inputs), 'inputs of the action'),
          )
          .min(1),
      }),
    }),
  }),
  'Azure DevOps': z.strictObject({
    trigger: z.literal('none'),
    pr: z.union([z.literal('none'), z.strictObject({ branches: z.strictObject({ include: z.array(text).min(1) }) })]),
    schedules: z
      .array(
        z.strictObject({
          cron,
          displayName: text,
          branches: z.strictObject({ include: z.array(text).min(1) }),
          always: z.boolean(),
        }),
      )
      .optional(),
    parameters: z
      .array(z.strictObject({ name: text, displayName: text, type: z.literal('string'), default: text }))
      .optional(),
    pool: z.strictObject({ vmImage: text }),
    jobs: z.array(
      z.strictObject({
        job: text,
        displayName: text,
        timeoutInMinutes: z.number(),
        steps: z.array(
          z
            .strictObject({
              checkout: z.literal('none').optional(),
              task: z
                .string()
                .regex(/^[A-Za-z]+@\d+$/)
                .optional(),
              script: text.optional(),
              inputs: z.record(z.string(), z.string()).optional(),
              env: variables.optional(),
              displayName: text.optional(),
              condition: text.optional(),
            })
            .refine(({ checkout, task, script }) => [checkout, task, script].filter(Boolean).length === 1)
            .refine(({ task, inputs }) => takesItsInputs(task, inputs), 'inputs of the task'),
        ),
      }),
    ),
  }),
  'GitLab CI': z
    .strictObject({
      variables: z.record(z.string(), z.strictObject({ value: z.string(), description: text })).optional(),
    })
    .catchall(
      z.strictObject({
        image: text,
        timeout: text,
        rules: z.array(
          z.strictObject({
            if: z.string().regex(/^\$CI_PIPELINE_SOURCE == '\w+'$/),
          }),
        ),
        variables,
        script: z.array(text).min(1),
        artifacts: z.strictObject({
          when: z.literal('always'),
          expire_in: text,
          paths: z.array(text),
          reports: z.strictObject({ junit: text }),
        }),
      }),
    ),
  CircleCI: z.strictObject({
    version: z.literal(2.1),
    parameters: z
      .strictObject({
        assay: z.strictObject({ type: z.literal('boolean'), default: z.literal(false) }),
        base_url: z.strictObject({ type: z.literal('string'), default: z.string() }),
      })
      .optional(),
    jobs: z.strictObject({
      qa: z.strictObject({
        docker: z.array(z.strictObject({ image: text })).min(1),
        environment: variables.optional(),
        steps: z
          .array(
            z.strictObject({
              run: z.strictObject({ name: text, command: text }).optional(),
              store_test_results: z.strictObject({ path: text }).optional(),
              store_artifacts: z.strictObject({ path: text }).optional(),
            }),
          )
          .length(3),
      }),
    }),
    workflows: z.record(
      z.string(),
      z.strictObject({
        when: z.literal('<< pipeline.parameters.assay >>').optional(),
        jobs: z.array(z.union([z.literal('qa'), z.record(z.string(), z.looseObject({}))])).min(1),
        triggers: z
          .array(
            z.strictObject({
              schedule: z.strictObject({ cron, filters: z.strictObject({ branches: z.strictObject({ only: text }) }) }),
            }),
          )
          .optional(),
      }),
    ),
  }),
};

describe('CI templates', () => {
  test.each(all().filter(({ language }) => language === 'yaml'))(
    '$provider, $cadence: matches the schema of the CI system',
    (file) => {
      const parsed = shapes[file.provider]?.safeParse(yamlOf(file));
      expect(parsed?.error?.issues, file.content).toBeUndefined();
      expect(parsed?.success).toBe(true);
      const named = all('proj_abc').find(
        ({ provider, cadence }) => provider === file.provider && cadence === file.cadence,
      );
      expect(named && yamlOf(named)).toBeDefined();
    },
  );

  test('reference only variables that exist', () => {
    // Contexts that GitHub allows in these expressions.
    const contexts = ['github', 'vars', 'secrets', 'inputs'];
    for (const { content, provider, path } of [...all(), ...all('proj_abc')]) {
      const expressions = [...content.matchAll(/\$\{\{ ([\w.-]+) \}\}|<< ([\w.-]+) >>/g)].map(
        ([, a, b]) => a ?? b ?? '',
      );
      expect(content.match(/\$\{\{|<</g)?.length ?? 0, path).toBe(expressions.length);
      for (const expression of expressions) {
        const [context = '', name = ''] = expression.replace(/^pipeline\./, '').split('.');
        if (provider === 'GitHub Actions') expect(contexts).toContain(context);
        else expect(context).toBe('parameters');
        if (context === 'inputs') expect(content).toMatch(new RegExp(`^ {6}${name}:$`, 'm'));
        if (context === 'parameters') expect(content).toMatch(new RegExp(`^ {2}(- name: )?${name}:?$`, 'm'));
      }
    }
  });

  test('contain a valid Jenkinsfile, and the check detects a broken one', () => {
    const files = [...all(), ...all('proj_abc')].filter(({ provider }) => provider === 'Jenkins');
    expect(files).toHaveLength(6);
    for (const { content, cadence } of files) {
      const pipeline = readJenkinsfile(content);
      const within = (...path: string[]) =>
        path.reduce<Statement[]>((list, name) => list.find((one) => one.name === name)?.body ?? [], [pipeline]);
      const [step] = within('pipeline', 'stages', 'stage', 'steps');
      expect(step?.args[0]?.value).toMatch(/^npx --yes assay-mcp@/);
      const [trigger] = within('pipeline', 'triggers');
      expect(trigger?.args[0]?.value).toBe(cadence === 'nightly' ? 'TZ=UTC\n17 2 * * *' : undefined);
      expect(within('pipeline', 'stages', 'stage').some(({ name }) => name === 'when')).toBe(
        cadence === 'onPullRequest',
      );
      expect(within('pipeline', 'post').map(({ name }) => name)).toEqual(['always']);
      for (const [from, to] of [
        [/\}\n$/, ''],
        ["sh '", 'sh "'],
        ["MINUTES'", 'MINUTES'],
        ['agent {', 'agents {'],
        [/ {2}agent .*\n/, ''],
        ['stages {', 'steps {'],
        ['always {', 'sometimes {'],
        ["credentials('assay-token')", 'secret'],
        ['allowEmptyResults: true', "allowEmptyResults: 'yes'"],
        [/ {6}steps \{[^}]*\}\n/, ''],
      ] as const) {
        const broken = content.replace(from, to);
        expect(broken).not.toBe(content);
        expect(() => readJenkinsfile(broken), broken).toThrow();
      }
    }
  });

  test('contain valid shell scripts', () => {
    for (const { content, language, provider } of [...all(), ...all('proj_abc')]) {
      const lines = language === 'sh' ? content : (/npx --yes .*/.exec(content)?.[0].replace(/'$/, '') ?? 'no line (');
      // The scripts run with plain `sh`.
      for (const program of ['sh', 'bash']) {
        const { status, stderr } = spawnSync(program, ['-n'], { input: lines, encoding: 'utf8' });
        expect(status, `${provider}: ${stderr}`).toBe(0);
      }
    }
  });

  test('run only on the trigger of their cadence', () => {
    const marks: Record<CiCadence, RegExp> = {
      onPullRequest: /pull_request:|pr:\n {2}branches|merge_request_event|changeRequest\(\)|ignore: main|for a change/,
      nightly: /17 2 \* \* \*|== 'schedule'/,
      onDemand: /workflow_dispatch|parameters:\n|== 'web'|parameters \{|on demand/,
    };
    for (const { cadence, content, provider } of all())
      for (const [name, mark] of Object.entries(marks))
        expect(mark.test(content), `${provider} ${cadence}: ${name}`).toBe(name === cadence);
  });

  test('skip GitHub pull requests that get no token', () => {
    for (const { content, provider, cadence } of all())
      if (provider === 'GitHub Actions')
        expect(/^ {4}if: .*head\.repo\.full_name == github\.repository && .*dependabot/m.test(content)).toBe(
          cadence === 'onPullRequest',
        );
  });

  test('have distinct paths and hold no token', () => {
    const files = all().map(({ content }) => content);
    expect(files).toHaveLength(18);
    expect(new Set(files).size).toBe(18);
    for (const content of files) expect(content).not.toMatch(/Bearer|token: \w/i);
  });

  test('name the project if it is known and a variable otherwise', () => {
    for (const { content } of all('proj_abc')) expect(content).toContain('--project proj_abc ');
    for (const provider of ciProviders)
      for (const cadence of ciCadences) {
        const open = recommendCi({ provider, cadence, projectId: undefined });
        for (const { steps, template } of open) {
          expect(template.content).toContain('"$ASSAY_PROJECT"');
          expect(steps.join(' ')).toMatch(/ASSAY_PROJECT.*ASSAY_TOKEN/);
        }
        const known = recommendCi({ provider, cadence, projectId: 'proj_abc' });
        for (const { steps } of known) expect(steps.join(' ')).not.toContain('ASSAY_PROJECT');
      }
  });
});
