import { type ScanSlice, type SliceRequest, sliceAnswer } from './slice-protocol.ts';

/** Has other workers visit pages. */
export interface SliceVisitor {
  /** Resolves with the folder of the results; undefined if no worker has visited the pages. */
  visit(slice: ScanSlice): Promise<string | undefined>;
}

/** The process that started this engine, which submits slices as jobs. */
interface ParentProcess {
  send(request: SliceRequest): void;
  onMessage(listener: (message: unknown) => void): void;
}

export function createSliceVisitor(parent: ParentProcess, signal: AbortSignal): SliceVisitor {
  const waiting = new Map<number, (folder: string | undefined) => void>();
  let last = 0;
  parent.onMessage((message) => {
    const { number, folder } = sliceAnswer.parse(message);
    waiting.get(number)?.(folder ?? undefined);
    waiting.delete(number);
  });
  signal.addEventListener('abort', () => {
    for (const answer of waiting.values()) answer(undefined);
    waiting.clear();
  });
  return {
    visit(slice) {
      const number = ++last;
      return new Promise((resolve) => {
        waiting.set(number, resolve);
        parent.send({ type: 'slice', number, slice });
      });
    },
  };
}
