import { withoutNumbers } from '../files/result-labels.ts';
import { folded } from '../validation/words.ts';
import { says } from './failing.ts';
import type { Run } from './run.ts';

/** As much of a line as a file keeps. */
const LONGEST = 200;

const alike = (text: string) => folded(withoutNumbers(text.slice(0, LONGEST)));

/** What stands on the results page every time, since it stood there at the discovery: only its numbers differ. */
export function saidAlways(run: Run): (text: string) => boolean {
  const { said = [], heading = '' } = run.stored.wizard.results_page ?? {};
  const known = new Set([...said, heading].map(alike));
  return (text) => known.has(alike(text));
}

const good = [
  "thank(?:s| you)|success|congratulations|(?:this|that) is (?:only|just) an? (?:estimate|example)|report an? (?:problem|error|issue|bug)(?: (?:with|on) this page)?$|you'?re all set|all (?:done|set)",
  '(?:[a-z]+ ){1,4}(?:has|have|was|were)(?: been)?(?: now)?(?: successfully)? (?:saved|sent|submitted|received|recorded|updated|completed|calculated)',
  'we(?: have|.ve)? received your|(?:saved|sent|done|completed?)(?=[.!]?$)',
  'vielen dank|danke|gespeichert|merci|enregistre|gracias|guardado|grazie|salvato|bedankt|dank u|opgeslagen|obrigad[oa]|salvo',
];
const isGood = new RegExp(`^(?:${good.join('|')})(?!\\p{L})`, 'u');

/** Boxes for alerts are used for good news too, and to be told of an error may be offered to everybody. */
export function isHarmless(text: string): boolean {
  const sentences = folded(text).split(/(?<=[.!?])\s+/);
  if (!sentences.every((sentence) => isGood.test(sentence))) return false;
  return sentences.every((sentence) => /^report\b/.test(sentence)) || !(says(text, 'anywhere') || says(text, 'asking'));
}
