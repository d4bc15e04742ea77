import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Control, Ladder } from '../../../platform/page/page-model.ts';
import type { DiscoverySession } from '../session/discovery-session.ts';

/** Masks personal words in texts of the page, so that they fit every user: "Was … born in the US?" */
export interface PersonalTextMask {
  maskText(said: string): string;
  /** The control with masked texts, and without selectors that contain a personal word. */
  maskControl(control: Control): Control;
  isImpersonal(said: string): boolean;
}

/** Pages repeat single words of a full name. An address is not split: its words are common. */
const fullName = /^\p{L}[\p{L}'’-]*(?: \p{L}[\p{L}'’-]*){1,2}$/u;

export function createPersonalTextMask({ secrets }: Pick<DiscoverySession, 'secrets'>): PersonalTextMask {
  const values = secrets.map(({ value }) => value.trim()).filter((value) => /\p{L}{2}/u.test(value));
  const words = values.flatMap((value) => (fullName.test(value) ? [value, ...value.split(' ')] : [value]));
  const known = words.filter(({ length }) => length > 2).sort((a, b) => b.length - a.length);
  const source = known.map((word) => RegExp.escape(word)).join('|');
  const expression = new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'giu');
  const text = (said: string) => (source === '' ? said : said.replaceAll(expression, '…'));
  const isOpen = (said: string) => text(said) === said;
  const ladder = (rungs: Ladder) => rungs.filter((rung) => isOpen(rungToSelector(rung)));
  const control = (one: Control): Control => ({
    ...one,
    name: text(one.name),
    group: text(one.group),
    description: text(one.description),
    ladder: ladder(one.ladder),
    options: one.options.map((option) => ({ ...option, ladder: ladder(option.ladder) })),
    parts: one.parts.map(({ part, control: own }) => ({ part, control: control(own) })),
  });
  return { maskText: text, isImpersonal: isOpen, maskControl: (one) => (source === '' ? one : control(one)) };
}
