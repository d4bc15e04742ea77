import { once } from 'node:events';
import { createServer } from 'node:http';
import { Registry } from 'prom-client';
import { Failure, systemReason } from '../../platform/errors.ts';
import type { JobService } from '../../platform/jobs/job-service.ts';
import { createJobMetrics, type JobMetrics } from '../../server/job-metrics.ts';
import { printStderr } from '../command.ts';

interface WorkerHealthOptions {
  host: string;
  port: number;
  jobService: JobService;
  /** Aborted when the worker takes no more jobs. */
  drain: AbortSignal;
}

/**
 * Serves `/healthz` (the process lives), `/readyz` (the store answers, and the worker takes jobs) and `/metrics` of a worker.
 */
export async function serveWorkerHealth({
  host,
  port,
  jobService,
  drain,
}: WorkerHealthOptions): Promise<AsyncDisposable & { jobEnded: JobMetrics['ended'] }> {
  const registry = new Registry();
  const metrics = createJobMetrics(registry, jobService.statistics);

  async function answer(path: string | undefined): Promise<[status: number, type: string, body: string]> {
    const json = (status: number, value: object) => [status, 'application/json', JSON.stringify(value)] as const;
    if (path === '/healthz') return [...json(200, { status: 'ok' })];
    if (path === '/metrics') return [200, registry.contentType, await registry.metrics()];
    if (path !== '/readyz') return [...json(404, { error: 'Not found. Use /healthz, /readyz or /metrics.' })];
    if (drain.aborted) return [...json(503, { status: 'draining' })];
    return [
      ...((await jobService.statistics()) ? json(200, { status: 'ok' }) : json(503, { status: 'store unavailable' })),
    ];
  }

  const server = createServer((request, response) => {
    answer(request.url).then(
      ([status, type, body]) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    const message = `Cannot listen on ${host}:${port}: ${systemReason(error)}. Choose another --health-port.`;
    throw new Failure('configuration', 'BAD_SETTING', message, {}, { cause: error });
  });
  const address = server.address();
  printStderr(`Worker health: http://${host}:${typeof address === 'object' ? address?.port : port}/readyz`);
  return {
    jobEnded: metrics.ended,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
