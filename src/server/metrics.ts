import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobStatistics } from '../platform/jobs/jobs.ts';
import { createJobMetrics, type JobMetrics } from './job-metrics.ts';

export interface CallMetrics {
  called(tool: string, outcome: 'ok' | 'error' | 'refused', seconds: number): void;
}

export interface Metrics extends CallMetrics {
  answered(status: number): void;
  jobEnded: JobMetrics['ended'];
  callsInFlight(change: 1 | -1): void;
  /** Prometheus text. */
  render(): Promise<{ type: string; text: string }>;
}

/** Sources of gauges, read when metrics are rendered. */
interface MetricSources {
  jobs(): Promise<JobStatistics | undefined>;
  /** Number of browsers of this process and of their open contexts. */
  browsers(): { browsers: number; contexts: number };
}

export function createMetrics(counted?: MetricSources): Metrics {
  const registers = [new Registry()];
  const [registry = new Registry()] = registers;
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'assay_http_requests_total',
    help: 'HTTP requests answered, by status',
    labelNames: ['status'],
    registers,
  });
  const inFlight = new Gauge({ name: 'assay_calls_in_flight', help: 'Tool calls under way over HTTP', registers });
  const jobs = createJobMetrics(registry, async () => counted?.jobs());
  new Gauge({
    name: 'assay_browsers',
    help: 'Browsers that this process runs',
    registers,
    collect() {
      this.set(counted?.browsers().browsers ?? 0);
    },
  });
  new Gauge({
    name: 'assay_browser_contexts',
    help: 'Contexts open in the browsers of this process',
    registers,
    collect() {
      this.set(counted?.browsers().contexts ?? 0);
    },
  });
  const calls = new Counter({
    name: 'assay_tool_calls_total',
    help: 'Tool calls, by tool and outcome',
    labelNames: ['tool', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'assay_tool_call_seconds',
    help: 'How long tool calls took, by tool',
    labelNames: ['tool'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 50],
    registers,
  });
  return {
    called(tool, outcome, seconds) {
      calls.inc({ tool, outcome });
      if (outcome !== 'refused') durations.observe({ tool }, seconds);
    },
    jobEnded: jobs.ended,
    answered: (status) => requests.inc({ status }),
    callsInFlight: (change) => inFlight.inc(change),
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
