/** How a page's end speaks of its host: in good health, in trouble (429, 5xx, no answer), or neither. */
export type Health = 'good' | 'trouble' | 'unknown';

export interface Hosts {
  /** Milliseconds until a page of this host may begin; Infinity while as many as it bears are under way. */
  waitFor(host: string): number;
  begin(host: string): void;
  end(host: string, health: Health): void;
  /** From now on pages of this host begin at least so far apart. */
  keepApart(host: string, ms: number): void;
}

interface HostState {
  atOnce: number;
  underWay: number;
  goodInARow: number;
  leastGapMs: number;
  gapMs: number;
  lastStart: number;
}

const START_AT_ONCE = 2;
const GOOD_UNTIL_MORE = 10;
const LONGEST_GAP_MS = 10_000;

/** Politeness by host: a gap between starts, and fewer pages at once where the host suffers; more again, slowly, when not. */
export function createHosts(most: number, gapMs: number, clock = () => performance.now()): Hosts {
  const hosts = new Map<string, HostState>();

  function stateOf(host: string): HostState {
    const state = hosts.get(host) ?? {
      atOnce: Math.min(START_AT_ONCE, most),
      underWay: 0,
      goodInARow: 0,
      leastGapMs: gapMs,
      gapMs,
      lastStart: Number.NEGATIVE_INFINITY,
    };
    hosts.set(host, state);
    return state;
  }

  return {
    waitFor(host) {
      const state = stateOf(host);
      if (state.underWay >= state.atOnce) return Number.POSITIVE_INFINITY;
      return Math.max(0, state.lastStart + state.gapMs - clock());
    },
    begin(host) {
      const state = stateOf(host);
      state.underWay++;
      state.lastStart = clock();
    },
    end(host, health) {
      const state = stateOf(host);
      state.underWay--;
      if (health === 'trouble') {
        state.atOnce = Math.max(1, Math.floor(state.atOnce / 2));
        const longer = Math.min(LONGEST_GAP_MS, Math.max(state.gapMs * 2, 100));
        state.gapMs = Math.max(state.leastGapMs, longer);
        state.goodInARow = 0;
      } else if (health === 'good') {
        state.gapMs = Math.max(state.leastGapMs, state.gapMs > 100 ? state.gapMs / 2 : 0);
        if (++state.goodInARow < GOOD_UNTIL_MORE) return;
        state.atOnce = Math.min(most, state.atOnce + 1);
        state.goodInARow = 0;
      }
    },
    keepApart(host, ms) {
      const state = stateOf(host);
      state.leastGapMs = Math.max(state.leastGapMs, ms);
      state.gapMs = Math.max(state.gapMs, ms);
    },
  };
}
