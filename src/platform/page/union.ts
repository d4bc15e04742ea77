import type { Rung } from './model.ts';
import { plainSelector } from './rung-text.ts';

/** A way to an element that can be looked for together with others of its frame. */
export interface Way {
  /** Tells the element apart from the others, in the page. */
  css: string;
  /** The same with its proof, within its frame. */
  selector: string;
  /** What leads into the frame; empty for the page itself. */
  frame: string;
}

/** A rung as CSS that the page itself understands. */
export function cssOf(rung: Rung): string | undefined {
  const isPlain = ['id', 'name', 'test-id', 'placeholder'].includes(rung.by);
  if (isPlain || (rung.by === 'selector' && /^[a-z]*\[[a-z-]+="[^"\\>]*"\]$/.test(rung.value)))
    return plainSelector(rung);
  return undefined;
}

export function frameOf({ frame = [] }: Rung): string {
  return frame.map((each) => `${each} >> internal:control=enter-frame >> `).join('');
}

/** One selector for all elements of several ways, which must be of the same frame. */
export function unionOf(ways: readonly Way[]): string {
  const [first, ...others] = ways;
  const or = others.map(({ selector }) => ` >> internal:or=${JSON.stringify(selector)}`);
  return `${first?.frame ?? ''}${first?.selector ?? ''}${or.join('')}`;
}
