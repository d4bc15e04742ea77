import { type PhraseTable, phrasesOf } from '../../platform/text/phrase-table.ts';
import {
  certainFailure,
  conditionWord,
  consequence,
  contrastWord,
  emailConfirmation,
  generalWord,
  inputRequest,
  leadingConditionWord,
  negativeAnswer,
  possibilityWord,
  returnedSubmission,
  signInStatements,
  technicalFailure,
  unfinishedSubmission,
} from './outcome-vocabulary.ts';

const anyPattern = (...tables: readonly PhraseTable[]) => new RegExp(`\\b(?:${phrasesOf(...tables)})(?!\\w)`, 'g');
const expressions = {
  /** As a title: something did not work. */
  title: anyPattern(technicalFailure, certainFailure),
  /** Anywhere: something did not work, or the answer is no. */
  anywhere: anyPattern(technicalFailure, negativeAnswer, certainFailure),
  /** Beyond doubt: something did not work. */
  plain: anyPattern(certainFailure),
  /** Beyond doubt, or the submission was rejected. */
  refused: anyPattern(certainFailure, returnedSubmission),
  /** The page asks for input. */
  asking: anyPattern(certainFailure, inputRequest),
  /** Continuing has consequences. */
  consequence: anyPattern(consequence),
  /** The user is asked to sign in. */
  signing: anyPattern(signInStatements),
  /** The submission is kept once the user has confirmed it. */
  unfinished: anyPattern(unfinishedSubmission),
  /** The same, where the confirmation comes by e-mail. */
  mailed: anyPattern(emailConfirmation),
};

export type PageStatement = keyof typeof expressions;

/** Whether a text of a page makes the statement. A statement under a condition does not count. */
export function statesThat(text: string, what: PageStatement): boolean {
  const bare = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘`´]/g, "'")
    .toLowerCase()
    .slice(0, 2_000);
  if (bare.search(expressions[what]) < 0) return false;
  if (what === 'consequence' || what === 'signing') return true;
  return bare
    .split(/(?<=[.!?;])\s+/)
    .some((sentence) => [...sentence.matchAll(expressions[what])].some((match) => !isHypothetical(sentence, match)));
}

const condition = new RegExp(`\\b(?:${phrasesOf(conditionWord)})\\b|(?:^|, )(?:${phrasesOf(leadingConditionWord)})\\b`);
const possibility = new RegExp(`\\b(?:${phrasesOf(possibilityWord)})(?: \\w+){0,2} $`);
const general = new RegExp(`\\b(?:${phrasesOf(generalWord)})\\b`);
const contrast = new RegExp(`\\b(?:${phrasesOf(contrastWord)})\\b`);

/** "If there is a problem, we will write to you", "We may be unable to process it", "We cannot process it if it is late". */
function isHypothetical(sentence: string, { index, 0: words }: RegExpExecArray): boolean {
  const before = sentence.slice(0, index);
  const [isAfter] = condition.exec(before) ?? [];
  if (isAfter !== undefined) return !contrast.test(before);
  if (possibility.test(before)) return true;
  const isPresent = general.test(before + words);
  return isPresent && condition.test(sentence.slice(index + words.length));
}
