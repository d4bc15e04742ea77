import { maskNumbers } from '../../files/result-labels.ts';
import { foldText } from '../../validation/read-values.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { statesThat } from './page-statements.ts';

/** As much of a line as a file keeps. */
const MAX_LENGTH = 200;

const comparableText = (text: string) => foldText(maskNumbers(text.slice(0, MAX_LENGTH)));

/** What stands on the results page every time, since it stood there at the discovery: only its numbers differ. */
export function knownResultsText(run: WizardRun): (text: string) => boolean {
  const { said = [], heading = '' } = run.stored.wizard.results_page ?? {};
  const known = new Set([...said, heading].map(comparableText));
  return (text) => known.has(comparableText(text));
}

const good = [
  "thank(?:s| you)|success|congratulations|(?:this|that) is (?:only|just) an? (?:estimate|example)|report an? (?:problem|error|issue|bug)(?: (?:with|on) this page)?$|you'?re all set|all (?:done|set)",
  '(?:[a-z]+ ){1,4}(?:has|have|was|were)(?: been)?(?: now)?(?: successfully)? (?:saved|sent|submitted|received|recorded|updated|completed|calculated)',
  'we(?: have|.ve)? received your|(?:saved|sent|done|completed?)(?=[.!]?$)',
  'vielen dank|danke|gespeichert|merci|enregistre|gracias|guardado|grazie|salvato|bedankt|dank u|opgeslagen|obrigad[oa]|salvo',
];
const isGood = new RegExp(`^(?:${good.join('|')})(?!\\p{L})`, 'u');

/** Boxes for alerts are used for good news too, and to be told of an error may be offered to everybody. */
export function isBenignMessage(text: string): boolean {
  const sentences = foldText(text).split(/(?<=[.!?])\s+/);
  if (!sentences.every((sentence) => isGood.test(sentence))) return false;
  return (
    sentences.every((sentence) => /^report\b/.test(sentence)) ||
    !(statesThat(text, 'anywhere') || statesThat(text, 'asking'))
  );
}
