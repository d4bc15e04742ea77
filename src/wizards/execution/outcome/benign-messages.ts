import { statesThat } from '../../../page/outcome/page-statements.ts';
import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import { maskNumbers } from '../../files/result-labels.ts';
import { foldText } from '../../validation/read-values.ts';
import { benignMessage, reportLink } from '../../vocabulary/benign-messages.ts';
import type { WizardRun } from '../run/wizard-run.ts';

/** The length to which a wizard file cuts a line. */
const MAX_LENGTH = 200;

const comparableText = (text: string) => foldText(maskNumbers(text.slice(0, MAX_LENGTH)));

/** Returns a test for lines that the results page already had at the discovery; numbers may differ. */
export function knownResultsText(run: WizardRun): (text: string) => boolean {
  const { said = [], heading = '' } = run.stored.wizard.results_page ?? {};
  const known = new Set([...said, heading].map(comparableText));
  return (text) => known.has(comparableText(text));
}

const benignStart = new RegExp(`^(?:${phrasesOf(benignMessage)})(?!\\p{L})`, 'u');
const reportStart = new RegExp(`^(?:${phrasesOf(reportLink)})\\b`);

/** Whether an alert text reports no problem: sites use alert boxes for good news too. */
export function isBenignMessage(text: string): boolean {
  const sentences = foldText(text).split(/(?<=[.!?])\s+/);
  if (!sentences.every((sentence) => benignStart.test(sentence))) return false;
  return (
    sentences.every((sentence) => reportStart.test(sentence)) ||
    !(statesThat(text, 'anywhere') || statesThat(text, 'asking'))
  );
}
