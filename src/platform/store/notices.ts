import { EventEmitter } from 'node:events';

export const NOTICE_CHANNEL = 'assay_jobs';

/**
 * Short texts for every listener on the same store. A notice may be lost with a connection, so listeners also look for
 * changes at intervals.
 */
export interface Notices {
  send(text: string): Promise<void>;
  /** Returns a function that ends the listening. */
  listen(onNotice: (text: string) => void): () => void;
  close(): Promise<void>;
}

/** Notices within this process, for a SQLite file. Other processes that use the file do not get them. */
export function createLocalNotices(): Notices {
  const events = new EventEmitter();
  return {
    async send(text) {
      events.emit(NOTICE_CHANNEL, text);
    },
    listen(onNotice) {
      events.on(NOTICE_CHANNEL, onNotice);
      return () => events.off(NOTICE_CHANNEL, onNotice);
    },
    async close() {
      events.removeAllListeners();
    },
  };
}
