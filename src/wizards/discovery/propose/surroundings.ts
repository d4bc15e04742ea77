import type { Control, PageReading } from '../../../platform/page/page-model.ts';
import type { Surroundings } from '../../files/wizard-schema.ts';
import { foldText } from '../../validation/read-values.ts';
import { redactSecrets } from '../read-page/typed-secrets.ts';
import type { DiscoverySession } from '../session/discovery-session.ts';
import { createPersonalTextMask } from './personal-text.ts';

/**
 * The texts around a control, to recognize its question later. Texts that repeat an answer or an error are left out: other users
 * do not see them.
 */
export function describeSurroundings(
  control: Control,
  session: Pick<DiscoverySession, 'answers' | 'secrets'>,
  { errors }: Pick<PageReading, 'errors'>,
): { surroundings?: Surroundings } {
  const { kind, name, group, heading, row, description, beside, placeholder } = control;
  const isQuestion = kind === 'radio-group' || kind === 'checkbox-group';
  const isDate = kind === 'date-parts';
  const said = {
    name: isQuestion || isDate ? '' : name,
    question: isQuestion ? name : isDate ? (control.parts[0]?.control.group ?? '') : group,
    heading,
    row,
    hint: description || beside,
    placeholder: isDate ? '' : placeholder,
  };
  // A question often names its own answers, so its own answer does not count.
  const others = [...session.answers].filter(([asked]) => asked !== name).map(([, answer]) => foldText(answer));
  const answers = others.filter((answer) => /[a-z].*[a-z]|\d{3}/.test(answer));
  const open = createPersonalTextMask(session);
  const isOfAll = (text: string) =>
    text !== '' &&
    open.isImpersonal(text) &&
    redactSecrets(session, text) === text &&
    !errors.some((error) => error.text !== '' && text.includes(error.text)) &&
    !answers.some((answer) => ` ${foldText(text)} `.includes(` ${answer} `));
  const surroundings = Object.fromEntries(Object.entries(said).filter(([, text]) => isOfAll(text)));
  return Object.keys(surroundings).length > 0 ? { surroundings } : {};
}
