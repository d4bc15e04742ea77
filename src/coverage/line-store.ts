import { limits, tooLarge } from './limits.ts';

/**
 * Which lines of which source files can be covered, and which of them ran: two bits a line, in pages of 256 lines that
 * exist only where a report mentions a line. Everything that is said about lines (totals, gaps, patches, merged reports)
 * comes from here, so a report is read once and never kept.
 */
export interface LineStore {
  /** Adds up to 32 lines at once: `word` is `line >>> 5`, the bits of `found` and `hit` stand at `line & 31`. */
  add(file: number, word: number, found: number, hit: number): void;
  /** The words of one file that hold any line, in ascending order. */
  visit(file: number, visitor: LineVisitor): void;
  has(file: number): boolean;
  /** Adds up the lines of one file; undefined when no line of it was ever added. */
  count(file: number): { found: number; hit: number } | undefined;
}

export type LineVisitor = (word: number, found: number, hit: number) => void;

const wordsPerPage = 8;
const fileAt = 0;
const pageAt = 1;
const nextSlotAt = 2;
const foundAt = 3;
const hitAt = foundAt + wordsPerPage;
const pageSize = hitAt + wordsPerPage;
const pagesPerBlock = 1024;

export function createLineStore(maxPages: number = limits.linePages): LineStore {
  const blocks: Uint32Array[] = [];
  /** Finds a page by file and number: open addressing over slot + 1, where 0 is an empty place. The pages hold the keys. */
  let places = new Int32Array(1024);
  /** The newest page of each file; older ones follow through `nextSlotAt`, which holds slot + 1. */
  const newestSlot: number[] = [];
  let pages = 0;

  // The page of the last call: reports go through a file line by line.
  let currentFile = -1;
  let currentPage = -1;
  let block: Uint32Array = new Uint32Array(0);
  let offset = 0;

  function open(slot: number): void {
    block = blocks[Math.floor(slot / pagesPerBlock)] ?? block;
    offset = (slot % pagesPerBlock) * pageSize;
  }

  /** Opens the page, if there is one; the place in the table where it stands or would stand. */
  function find(file: number, page: number): number {
    const mixed = Math.imul(Math.imul(file, 0x9e3779b1) ^ page, 0x85ebca6b);
    let place = (mixed ^ (mixed >>> 15)) & (places.length - 1);
    for (;;) {
      const slot = (places[place] ?? 0) - 1;
      if (slot < 0) return place;
      open(slot);
      if (block[offset + pageAt] === page && block[offset + fileAt] === file) return place;
      place = (place + 1) & (places.length - 1);
    }
  }

  function grow(): void {
    places = new Int32Array(places.length * 2);
    for (let slot = 0; slot < pages; slot++) {
      open(slot);
      const place = find(block[offset + fileAt] ?? 0, block[offset + pageAt] ?? 0);
      places[place] = slot + 1;
    }
  }

  function select(file: number, page: number): void {
    const place = find(file, page);
    if (places[place] === 0) {
      if (pages >= maxPages) throw tooLarge(`${maxPages} stretches of 256 lines`);
      if (pages % pagesPerBlock === 0) blocks.push(new Uint32Array(pagesPerBlock * pageSize));
      places[place] = pages + 1;
      open(pages);
      block[offset + fileAt] = file;
      block[offset + pageAt] = page;
      block[offset + nextSlotAt] = (newestSlot[file] ?? -1) + 1;
      newestSlot[file] = pages;
      pages += 1;
      if (pages * 2 > places.length) {
        grow();
        open(pages - 1);
      }
    }
    currentFile = file;
    currentPage = page;
  }

  function slotsOf(file: number): number[] {
    const found: number[] = [];
    let slot = newestSlot[file] ?? -1;
    while (slot >= 0) {
      found.push(slot);
      open(slot);
      slot = (block[offset + nextSlotAt] ?? 0) - 1;
    }
    currentFile = -1;
    return found;
  }

  function pageOf(slot: number): number {
    open(slot);
    return block[offset + pageAt] ?? 0;
  }

  return {
    add(file, word, found, hit) {
      const page = word >>> 3;
      if (file !== currentFile || page !== currentPage) select(file, page);
      const at = offset + foundAt + (word & 7);
      block[at] = (block[at] ?? 0) | found;
      block[at + wordsPerPage] = (block[at + wordsPerPage] ?? 0) | hit;
    },

    visit(file, visitor) {
      const ordered = slotsOf(file)
        .map((slot) => ({ slot, page: pageOf(slot) }))
        .sort((a, b) => a.page - b.page);
      for (const { slot, page } of ordered) {
        open(slot);
        // The visitor may use the store itself, which moves `block`.
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
        open(slot);
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
