import { quote } from '../../platform/errors.ts';
import { type AroundTools, aroundTools } from '../../platform/page/in-page/around.ts';
import { type NameTools, nameTools } from '../../platform/page/in-page/names.ts';
import type { WizardPage } from '../files/wizard.ts';
import { folded } from '../validation/words.ts';
import { guardedFrames } from './guarded.ts';
import type { Run } from './run.ts';

interface Known {
  ids: string[];
  names: string[];
}

/** What a page must be told and the file does not know: where the page has an answer of its own, it goes out with the form. */
export async function noteUnknownQuestions(run: Run, page: WizardPage): Promise<void> {
  const parts = page.fields.flatMap((field) => [field, ...(field.sub_fields ?? [])]);
  const ways = JSON.stringify(page.fields);
  const known: Known = {
    ids: [...ways.matchAll(/#([\w-]+)/g)].flatMap(([, id]) => id ?? []),
    names: [...ways.matchAll(/\[name=\\"([^"\\]+)\\"\]/g)].flatMap(([, name]) => name ?? []),
  };
  const work = `(${namesInPage})(open, names, (${aroundTools})(names))`;
  const script = `((open) => open.length === 0 ? [] : ((names) => ${work})((${nameTools})()))((${requiredInPage})(${JSON.stringify(known)}))`;
  const frames = guardedFrames(run);
  const found = await Promise.all(frames.map((frame) => frame.evaluate<string[]>(script).catch(() => [])));
  const labels = parts.flatMap(({ label = '', surroundings, options = [] }) => [
    label,
    surroundings?.name ?? '',
    surroundings?.question ?? '',
    ...options.map((option) => option.label),
  ]);
  const isKnown = new Set(labels.map(folded));
  const unknown = [...new Set(found.flat())].filter((name) => name !== '' && !isKnown.has(folded(name)));
  if (unknown.length === 0) return;
  const asked = unknown.map((name) => quote(run.discreet.said(name), 80)).join(', ');
  run.notes.push(`Page ${run.at} must be told more than the file knows, and was left as it was: ${asked}`);
}

/** In the page: the fields that must be filled in and that the file does not know. */
function requiredInPage({ ids, names }: Known): HTMLInputElement[] {
  const all = document.querySelectorAll<HTMLInputElement>(
    ':is(input,select,textarea):is([required],[aria-required=true])',
  );
  return [...all].filter(
    (element) => !ids.includes(element.id) && !names.includes(element.name) && !element.matches(':disabled,[readonly]'),
  );
}

/** In the page: what those are called that can be seen. */
function namesInPage(
  open: readonly HTMLInputElement[],
  { nameOf, isSeen, labelsOf, wordsBefore }: NameTools,
  { aroundOf }: AroundTools,
): string[] {
  return open
    .filter((element) => [element, ...labelsOf(element)].some(isSeen))
    .slice(0, 20)
    .map((element) =>
      element.type === 'radio' ? aroundOf(element).question : nameOf(element) || wordsBefore(element),
    );
}
