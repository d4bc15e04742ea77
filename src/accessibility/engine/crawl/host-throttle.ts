/** What a page's result says about its host: good, trouble (429, 5xx, no response), or unknown. */
export type HostHealth = 'good' | 'trouble' | 'unknown';

export interface HostThrottle {
  /** Milliseconds until a page of this host may start; Infinity while the maximum number of its pages is active. */
  waitMs(host: string): number;
  begin(host: string): void;
  end(host: string, health: HostHealth): void;
  /** Whether no page of this host is active, and one may start. */
  isFree(host: string): boolean;
  /** The time between two page starts on this host that its robots.txt and its trouble so far ask for. */
  gapMs(host: string): number;
  /** Leases the host to another process: no page of it starts here until it is released. */
  lease(host: string): void;
  release(host: string): void;
  /** Adapts the load to the result of a page that another process has visited. */
  report(host: string, health: HostHealth): void;
  /** Sets the minimum time between two page starts on this host. */
  setMinimumGap(host: string, ms: number): void;
}

interface HostState {
  maxConcurrent: number;
  active: number;
  isLeased: boolean;
  consecutiveSuccesses: number;
  minGapMs: number;
  gapMs: number;
  lastStart: number;
}

const INITIAL_CONCURRENT = 2;
const SUCCESSES_PER_INCREASE = 10;
const MAX_GAP_MS = 10_000;

/** Limits load per host: a gap between starts, fewer concurrent pages after trouble, and slowly more after successes. */
export function createHostThrottle(most: number, gapMs: number, clock = () => performance.now()): HostThrottle {
  const hosts = new Map<string, HostState>();

  function stateOf(host: string): HostState {
    const state = hosts.get(host) ?? {
      maxConcurrent: Math.min(INITIAL_CONCURRENT, most),
      active: 0,
      isLeased: false,
      consecutiveSuccesses: 0,
      minGapMs: gapMs,
      gapMs,
      lastStart: Number.NEGATIVE_INFINITY,
    };
    hosts.set(host, state);
    return state;
  }

  function waitMs(host: string): number {
    const state = stateOf(host);
    if (state.isLeased || state.active >= state.maxConcurrent) return Number.POSITIVE_INFINITY;
    return Math.max(0, state.lastStart + state.gapMs - clock());
  }

  function report(host: string, health: HostHealth): void {
    const state = stateOf(host);
    if (health === 'trouble') {
      state.maxConcurrent = Math.max(1, Math.floor(state.maxConcurrent / 2));
      const longer = Math.min(MAX_GAP_MS, Math.max(state.gapMs * 2, 100));
      state.gapMs = Math.max(state.minGapMs, longer);
      state.consecutiveSuccesses = 0;
    } else if (health === 'good') {
      state.gapMs = Math.max(state.minGapMs, state.gapMs > 100 ? state.gapMs / 2 : 0);
      if (++state.consecutiveSuccesses < SUCCESSES_PER_INCREASE) return;
      state.maxConcurrent = Math.min(most, state.maxConcurrent + 1);
      state.consecutiveSuccesses = 0;
    }
  }

  return {
    waitMs,
    report,
    begin(host) {
      const state = stateOf(host);
      state.active++;
      state.lastStart = clock();
    },
    end(host, health) {
      stateOf(host).active--;
      report(host, health);
    },
    isFree: (host) => stateOf(host).active === 0 && waitMs(host) === 0,
    gapMs: (host) => stateOf(host).gapMs,
    lease(host) {
      stateOf(host).isLeased = true;
    },
    release(host) {
      const state = stateOf(host);
      state.isLeased = false;
      // The other process may have started a page just now.
      state.lastStart = clock();
    },
    setMinimumGap(host, ms) {
      const state = stateOf(host);
      state.minGapMs = Math.max(state.minGapMs, ms);
      state.gapMs = Math.max(state.gapMs, ms);
    },
  };
}
