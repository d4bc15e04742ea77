import { createPairIndex } from './pair-index.ts';
import { coverageLimits, reportTooLarge } from './report-limits.ts';

/**
 * Stores which lines of source files are coverable and which ran: two bits per line, in pages of 256 lines that are allocated
 * on first use. Totals, gaps, patches and merged reports are computed from it, so a report is read once and not kept.
 */
export interface LineStore {
  /** Adds up to 32 lines at once: `word` is `line >>> 5`, the bits of `found` and `hit` stand at `line & 31`. */
  add(file: number, word: number, found: number, hit: number): void;
  /** The words of one file that hold any line, in ascending order. */
  visit(file: number, visitor: LineVisitor): void;
  has(file: number): boolean;
  /** Counts the lines of one file; undefined if it has none. */
  count(file: number): { found: number; hit: number } | undefined;
}

export type LineVisitor = (word: number, found: number, hit: number) => void;

const wordsPerPage = 8;
/** Holds slot + 1. */
const nextSlotAt = 0;
const foundAt = 1;
const hitAt = foundAt + wordsPerPage;
const pageSize = hitAt + wordsPerPage;
const pagesPerBlock = 1024;

export function createLineStore(maxPages: number = coverageLimits.linePages): LineStore {
  const blocks: Uint32Array[] = [];
  /** The slots of the pages, by file and number of the page. */
  const slots = createPairIndex();
  /** The newest page of each file; older ones follow through `nextSlotAt`. */
  const newestSlot: number[] = [];

  // The page of the last call is cached, because reports list a file line by line.
  let currentFile = -1;
  let currentPage = -1;
  let block: Uint32Array = new Uint32Array(0);
  let offset = 0;

  function openSlot(slot: number): void {
    block = blocks[Math.floor(slot / pagesPerBlock)] ?? block;
    offset = (slot % pagesPerBlock) * pageSize;
  }

  function selectPage(file: number, page: number): void {
    const pages = slots.size;
    const slot = slots.numberOf(file, page);
    if (slot === pages) {
      if (pages >= maxPages) throw reportTooLarge(`${maxPages} pages of 256 lines`);
      if (pages % pagesPerBlock === 0) blocks.push(new Uint32Array(pagesPerBlock * pageSize));
      openSlot(slot);
      block[offset + nextSlotAt] = (newestSlot[file] ?? -1) + 1;
      newestSlot[file] = slot;
    } else openSlot(slot);
    currentFile = file;
    currentPage = page;
  }

  function slotsOf(file: number): number[] {
    const found: number[] = [];
    let slot = newestSlot[file] ?? -1;
    while (slot >= 0) {
      found.push(slot);
      openSlot(slot);
      slot = (block[offset + nextSlotAt] ?? 0) - 1;
    }
    currentFile = -1;
    return found;
  }

  return {
    add(file, word, found, hit) {
      const page = word >>> 3;
      if (file !== currentFile || page !== currentPage) selectPage(file, page);
      const at = offset + foundAt + (word & 7);
      block[at] = (block[at] ?? 0) | found;
      block[at + wordsPerPage] = (block[at + wordsPerPage] ?? 0) | hit;
    },

    visit(file, visitor) {
      const ordered = slotsOf(file)
        .map((slot) => ({ slot, page: slots.other(slot) }))
        .sort((a, b) => a.page - b.page);
      for (const { slot, page } of ordered) {
        openSlot(slot);
        // The visitor may call the store, which changes `block`.
        const words = block.subarray(offset + foundAt, offset + pageSize);
        for (let index = 0; index < wordsPerPage; index++) {
          const found = words[index] ?? 0;
          if (found !== 0) visitor(page * wordsPerPage + index, found, words[index + wordsPerPage] ?? 0);
        }
      }
    },

    has(file) {
      return newestSlot[file] !== undefined;
    },

    count(file) {
      if (newestSlot[file] === undefined) return undefined;
      let found = 0;
      let hit = 0;
      for (const slot of slotsOf(file)) {
        openSlot(slot);
        for (let at = offset + foundAt; at < offset + hitAt; at++) {
          found += bitCount(block[at] ?? 0);
          hit += bitCount(block[at + wordsPerPage] ?? 0);
        }
      }
      return { found, hit };
    },
  };
}

function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
