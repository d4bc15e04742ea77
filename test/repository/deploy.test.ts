import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import type { Command } from '../../src/commands/command.ts';
import { serveCommand } from '../../src/commands/serve.ts';
import { workerCommand } from '../../src/commands/worker.ts';
import { readSettings } from '../../src/platform/settings.ts';
import { root } from '../support/assay.ts';

// No container runs here: the files are parsed, and their commands are read by the program's own parser.

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json'));
const commands = new Map<string, Command>([serveCommand, workerCommand].map((command) => [command.name, command]));
const settingOf = new Map([...commands.values()].flatMap(({ settings }) => settings.map((each) => [each.env, each])));

/** A version, and no tag that moves. */
const pinnedImage = z.string().regex(/^[\w./-]+:v?\d+\.\d+(\.\d+)?(-\w+(-slim)?)?$/);

/** Fails for an unknown command, flag or variable, and for a value that the command rejects. */
function startOf([name = '', ...argv]: readonly string[], env: Record<string, string>) {
  const command = commands.get(name);
  if (!command) throw new Error(`unknown command ${name}`);
  const values = readSettings(command.settings, argv, env);
  const known = new Map(command.settings.map((setting) => [setting.flag ?? setting.env, values.get(setting)]));
  const unknown = Object.keys(env).filter((variable) => !settingOf.has(variable));
  return { name, port: Number(known.get(name === 'serve' ? 'port' : 'health-port')), unknown, known };
}

/** Instead of a variable that the operator sets. */
const sample: Record<string, string> = {
  ASSAY_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  ASSAY_PUBLIC_URL: 'https://assay.example.com/mcp',
  ASSAY_OAUTH_ISSUER: 'https://login.example.com/',
  ASSAY_DATABASE_URL: 'postgres://assay@postgres/assay',
};

describe('Dockerfile', () => {
  const lines = read('deploy/Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const instructions = lines
    .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line)?.slice(1))
    .filter((parts) => parts !== undefined) as [string, string][];
  const of = (name: string) => instructions.flatMap(([each, rest]) => (each === name ? [rest] : []));

  test('pins its images, and takes the files of a stage that it has', () => {
    const stages = of('FROM').map((text) => /^(\S+)(?: AS (\w+))?$/.exec(text) ?? []);
    for (const [, image] of stages) pinnedImage.parse(image);
    const names = stages.flatMap(([, , name]) => name ?? []);
    const sources = of('COPY').flatMap((text) => /^--from=(\w+)/.exec(text)?.[1] ?? []);
    expect(sources).toEqual(['build']);
    expect(names).toEqual(sources);
    expect(Number(/node:(\d+)/.exec(stages[0]?.[1] ?? '')?.[1])).toBe(Number(read('.nvmrc')));
  });

  test('runs as a user without rights, with variables that exist', () => {
    const last = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'));
    expect(last.filter(([name]) => name === 'USER')).toEqual([['USER', 'node']]);
    expect(last.findIndex(([name]) => name === 'USER')).toBeLessThan(last.findIndex(([name]) => name === 'ENTRYPOINT'));
    for (const pair of of('ENV')) expect(settingOf.has(pair.split('=')[0] ?? '')).toBe(true);
    const [entry, start] = [of('ENTRYPOINT'), of('CMD')].map(([text = '']) => JSON.parse(text));
    expect(entry).toEqual(['tini', '--', 'assay']);
    expect(startOf(start, {}).name).toBe('serve');
    expect(Object.keys(JSON.parse(read('package.json')).bin)).toContain(entry.at(-1));
    expect(of('EXPOSE')).toEqual([`${startOf(start, {}).port} 7421`]);
  });

  test('sends every path of the package to the build, and nothing that is missing', () => {
    const [all, ...rules] = read('deploy/Dockerfile.dockerignore').trim().split('\n');
    expect(all).toBe('**');
    const sent = rules.flatMap((rule) => (rule.startsWith('!') ? [rule.slice(1)] : []));
    for (const path of sent) expect(existsSync(join(root, path)), path).toBe(true);
    const packed = JSON.parse(read('package.json')).files.filter((path: string) => path !== 'dist');
    expect(sent).toEqual(expect.arrayContaining(packed));
  });

  test('is healthy while /healthz answers 200, on the port of a server or a worker', async () => {
    const [, text = ''] = /CMD (\[.*\])$/.exec(of('HEALTHCHECK')[0] ?? '') ?? [];
    const [, ...args] = JSON.parse(text);
    let status = 200;
    const paths: (string | undefined)[] = [];
    await using server = createServer(({ url }, response) => {
      paths.push(url);
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? `${address?.port}` : '';
    const check = (env: Record<string, string>) =>
      promisify(execFile)(process.execPath, args, { env }).then(
        () => 'healthy',
        () => 'unhealthy',
      );
    expect(await check({ ASSAY_PORT: port })).toBe('healthy');
    expect(await check({ ASSAY_PORT: '1', ASSAY_HEALTH_PORT: port })).toBe('healthy');
    status = 503;
    expect(await check({ ASSAY_PORT: port })).toBe('unhealthy');
    expect(await check({ ASSAY_PORT: '1' })).toBe('unhealthy');
    expect(new Set(paths)).toEqual(new Set(['/healthz']));
  });
});

describe('compose.yaml', () => {
  const variable = z.string();
  const service = z.strictObject({
    image: pinnedImage,
    build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
    restart: z.literal('unless-stopped'),
    command: z.array(z.string()),
    environment: z.record(z.string(), variable),
    deploy: z.strictObject({ replicas: z.number() }).optional(),
    ports: z.array(z.string().startsWith('127.0.0.1:')).optional(),
    volumes: z.array(z.string()).optional(),
    stop_grace_period: z
      .string()
      .regex(/^\d+s$/)
      .optional(),
    shm_size: z.string().optional(),
    cap_drop: z.tuple([z.literal('ALL')]).optional(),
    security_opt: z.array(z.enum(['no-new-privileges:true', 'seccomp:unconfined'])).optional(),
    depends_on: z
      .record(z.string(), z.strictObject({ condition: z.enum(['service_healthy', 'service_started']) }))
      .optional(),
    healthcheck: z
      .strictObject({ test: z.array(z.string()), interval: z.string(), timeout: z.string(), retries: z.number() })
      .optional(),
  });
  const file = z.object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.object({})) });
  const text = read('deploy/compose.yaml');
  const { services, volumes } = file.parse(parse(text, { merge: true }));
  const ours = Object.entries(services).filter(([, { image }]) => image.startsWith('assay-mcp:'));
  const environment = (given: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.includes('${') ? (sample[name] ?? 'x') : value]),
    );

  test('has two servers, workers, a database and a bucket, with volumes and services that exist', () => {
    expect(Object.keys(services)).toEqual(['server', 'worker', 'postgres', 'files']);
    expect(services['server']?.deploy?.replicas).toBe(2);
    for (const { depends_on = {}, volumes: used = [] } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(Object.keys(services)).toContain(name);
        if (condition === 'service_healthy') expect(services[name]?.healthcheck).toBeDefined();
      }
      for (const each of used) expect(Object.keys(volumes)).toContain(each.split(':')[0]);
    }
  });

  test.each(ours)('%s starts with a command, flags and variables that exist', (_, { command, build, ...rest }) => {
    const { unknown, port, known } = startOf(command, environment(rest.environment));
    expect(unknown).toEqual([]);
    expect(rest.image).toBe(`assay-mcp:${version}`);
    expect(existsSync(join(root, 'deploy', build?.context ?? '', build?.dockerfile ?? ''))).toBe(true);
    for (const each of rest.ports ?? []) expect(each.split(':').at(-1)).toBe(`${port}`);
    const grace = Number.parseInt(rest.stop_grace_period ?? '', 10);
    expect(grace).toBeGreaterThan(Number(known.get('drain-seconds') ?? 0));
  });

  test('takes every credential from the operator', () => {
    const credentials = Object.values(services).flatMap(({ environment: given }) =>
      Object.entries(given).filter(([name]) => /KEY|PASSWORD|TOKEN|DATABASE_URL/.test(name)),
    );
    expect(credentials.length).toBeGreaterThan(5);
    for (const [name, value] of credentials) expect(value, name).toMatch(/\$\{\w+:\?\}/);
  });

  test('names the variables of the operator on the page about scale', () => {
    for (const [, name] of text.matchAll(/\$\{(\w+):\?\}/g)) expect(read('docs/scale.md')).toContain(`${name}=`);
  });
});

describe('Kubernetes', () => {
  const labels = z.record(z.string(), z.string());
  const metadata = z.strictObject({ name: z.string(), labels: labels.optional() });
  const selector = z.strictObject({ matchLabels: labels });
  const probe = z.strictObject({
    httpGet: z.strictObject({ path: z.enum(['/healthz', '/readyz']), port: z.string() }),
    periodSeconds: z.number().optional(),
    timeoutSeconds: z.number().min(3),
  });
  const secretKeyRef = z.strictObject({ name: z.literal('assay'), key: z.string() });
  const container = z.strictObject({
    name: z.string(),
    image: pinnedImage,
    args: z.array(z.string()),
    envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) })),
    env: z.array(z.strictObject({ name: z.string(), valueFrom: z.strictObject({ secretKeyRef }) })),
    ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number() })),
    lifecycle: z
      .strictObject({
        preStop: z.strictObject({ exec: z.strictObject({ command: z.tuple([z.literal('sleep'), z.string()]) }) }),
      })
      .optional(),
    livenessProbe: probe,
    readinessProbe: probe,
    resources: z.strictObject({
      requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
      limits: z.strictObject({ memory: z.string() }),
    }),
    securityContext: z.strictObject({
      allowPrivilegeEscalation: z.literal(false),
      readOnlyRootFilesystem: z.literal(true),
      capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
    }),
    volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })),
  });
  const pod = z.strictObject({
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.number(),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.number().min(1),
      runAsGroup: z.number().min(1),
      fsGroup: z.number().min(1),
      seccompProfile: z.strictObject({ type: z.enum(['RuntimeDefault', 'Unconfined']) }),
    }),
    containers: z.tuple([container]),
    volumes: z.array(
      z.strictObject({
        name: z.string(),
        emptyDir: z.strictObject({ medium: z.literal('Memory').optional(), sizeLimit: z.string().optional() }),
      }),
    ),
  });
  const port = z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.union([z.string(), z.number()]) });
  const peer = z.union([
    z.strictObject({ ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).optional() }) }),
    z.strictObject({ namespaceSelector: selector }),
  ]);
  const object = <Api extends string, Kind extends string, Spec extends z.ZodType>(
    apiVersion: Api,
    kind: Kind,
    spec: Spec,
  ) => z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), metadata, spec });
  const manifest = z.discriminatedUnion('kind', [
    object(
      'apps/v1',
      'Deployment',
      z.strictObject({
        replicas: z.number().optional(),
        selector,
        template: z.strictObject({ metadata: z.strictObject({ labels }), spec: pod }),
      }),
    ),
    object(
      'v1',
      'Service',
      z.strictObject({
        selector: labels,
        sessionAffinity: z.literal('ClientIP'),
        ports: z.array(z.strictObject({ name: z.string(), port: z.number(), targetPort: z.string() })),
      }),
    ),
    object('policy/v1', 'PodDisruptionBudget', z.strictObject({ minAvailable: z.number(), selector })),
    object(
      'autoscaling/v2',
      'HorizontalPodAutoscaler',
      z.strictObject({
        scaleTargetRef: z.strictObject({
          apiVersion: z.literal('apps/v1'),
          kind: z.literal('Deployment'),
          name: z.string(),
        }),
        minReplicas: z.number(),
        maxReplicas: z.number(),
        metrics: z.array(
          z.discriminatedUnion('type', [
            z.strictObject({
              type: z.literal('Resource'),
              resource: z.strictObject({
                name: z.enum(['cpu', 'memory']),
                target: z.strictObject({ type: z.literal('Utilization'), averageUtilization: z.number() }),
              }),
            }),
            z.strictObject({
              type: z.literal('External'),
              external: z.strictObject({
                metric: z.strictObject({ name: z.string() }),
                target: z.strictObject({ type: z.literal('Value'), value: z.string() }),
              }),
            }),
          ]),
        ),
      }),
    ),
    object(
      'networking.k8s.io/v1',
      'NetworkPolicy',
      z.strictObject({
        podSelector: selector,
        policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
        ingress: z.array(z.strictObject({ ports: z.array(port) })),
        egress: z.array(z.strictObject({ to: z.array(peer), ports: z.array(port).optional() })),
      }),
    ),
    z.strictObject({
      apiVersion: z.literal('v1'),
      kind: z.literal('ConfigMap'),
      metadata,
      data: z.record(z.string(), z.string()),
    }),
  ]);

  const documents = globSync('deploy/kubernetes/*.yaml', { cwd: root }).flatMap((path) =>
    parseAllDocuments(read(path), { uniqueKeys: true }).map((document) => {
      expect(document.errors).toEqual([]);
      return manifest.parse(document.toJS());
    }),
  );
  type Manifest = (typeof documents)[number];
  const ofKind = <Kind extends Manifest['kind']>(kind: Kind) =>
    documents.filter((each): each is Extract<Manifest, { kind: Kind }> => each.kind === kind);
  const deployments = ofKind('Deployment').map((each) => [each.metadata.name, each.spec] as const);
  const [config] = ofKind('ConfigMap');

  test('has servers and workers, and parts that select them', () => {
    const podLabels = deployments.map(([, { template }]) => template.metadata.labels);
    expect(podLabels).toHaveLength(2);
    for (const [, spec] of deployments) expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    for (const { spec } of ofKind('Service')) expect(podLabels).toContainEqual(spec.selector);
    for (const { spec } of ofKind('PodDisruptionBudget')) expect(podLabels).toContainEqual(spec.selector.matchLabels);
    for (const { spec } of ofKind('NetworkPolicy')) expect(podLabels).toContainEqual(spec.podSelector.matchLabels);
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      expect(deployments.map(([name]) => name)).toContain(spec.scaleTargetRef.name);
      for (const metric of spec.metrics)
        if (metric.type === 'External')
          expect(read('src/server/job-metrics.ts')).toContain(`name: '${metric.external.metric.name}'`);
    }
  });

  test.each(deployments)('%s starts with a command, flags and variables that exist', (_, { template }) => {
    const { containers, terminationGracePeriodSeconds, volumes } = template.spec;
    const [{ args, env, ports, image, volumeMounts, livenessProbe, readinessProbe, envFrom, lifecycle }] = containers;
    const secrets = Object.fromEntries(env.map(({ name }) => [name, sample[name] ?? 'a-secret-of-the-test']));
    const { unknown, port: listened, known } = startOf(args, { ...config?.data, ...secrets });
    expect(unknown).toEqual([]);
    expect(image).toBe(`assay-mcp:${version}`);
    expect(ports.map(({ containerPort }) => containerPort)).toEqual([listened]);
    expect(ports.map(({ name }) => name)).toContain(livenessProbe.httpGet.port);
    expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/healthz', '/readyz']);
    expect(readinessProbe.httpGet.port).toBe(livenessProbe.httpGet.port);
    expect(envFrom.map(({ configMapRef }) => configMapRef.name)).toEqual([config?.metadata.name]);
    expect(volumes.map(({ name }) => name)).toEqual(volumeMounts.map(({ name }) => name));
    const beforeStop = Number(lifecycle?.preStop.exec.command[1] ?? 0);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(beforeStop + Number(known.get('drain-seconds') ?? 0));
    for (const { name } of env) expect(settingOf.has(name)).toBe(true);
  });

  test('keeps credentials in a secret, whose keys the page about scale creates', () => {
    const references = deployments.flatMap(([, { template }]) => template.spec.containers[0].env);
    for (const { valueFrom } of references)
      expect(read('docs/scale.md')).toContain(`--from-literal=${valueFrom.secretKeyRef.key}=`);
    for (const name of Object.keys(config?.data ?? {})) expect(settingOf.get(name)?.secret, name).toBeUndefined();
  });

  test('lets no pod with a browser reach the metadata service of the cloud', () => {
    const policies = new Map(ofKind('NetworkPolicy').map(({ spec }) => [spec.podSelector.matchLabels['app'], spec]));
    for (const [, { template }] of deployments) {
      const peers = policies.get(template.metadata.labels['app'])?.egress.flatMap(({ to }) => to) ?? [];
      const blocks = peers.flatMap((each) => ('ipBlock' in each ? [each.ipBlock] : []));
      expect(blocks.filter(({ cidr }) => cidr === '0.0.0.0/0')).toEqual([
        { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] },
      ]);
      expect(blocks.map(({ cidr }) => cidr)).not.toContain('169.254.169.254/32');
    }
  });

  test('routes a service to a port that its pods name', () => {
    const names = deployments.flatMap(([, { template }]) => template.spec.containers[0].ports.map(({ name }) => name));
    for (const { spec } of ofKind('Service'))
      for (const { targetPort } of spec.ports) expect(names).toContain(targetPort);
    for (const { spec } of ofKind('NetworkPolicy'))
      for (const { ports } of spec.ingress) for (const each of ports) expect(names).toContain(each.port);
  });
});
