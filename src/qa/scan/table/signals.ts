import type { Sign } from '../evidence.ts';
import type { FormFacts } from '../facts.ts';
import { when } from '../model.ts';
import { words } from '../words.ts';

export const fewFields = (most: number, weight: number) =>
  when<FormFacts>(`at most ${most} fields`, weight, ({ shown }) => shown.length <= most && shown.length > 0);
export const noFields = (weight: number) => when<FormFacts>('no fields', weight, ({ shown }) => shown.length === 0);
export const twoPasswords = (weight: number) =>
  when<FormFacts>('two passwords', weight, ({ passwords }) => passwords > 1);
export const noPassword = (weight: number) =>
  when<FormFacts>('no password', weight, ({ passwords }) => passwords === 0);
export const prefilled = (weight: number) =>
  when<FormFacts>('fields that hold something', weight, ({ filled }) => filled > 0);
export const empty = (weight: number) => when<FormFacts>('empty fields', weight, ({ filled }) => filled === 0);
export const ofOneRecord = (weight: number) =>
  when<FormFacts>('the page of one record', weight, ({ page }) => page.state.template.includes(':id'));
export const staged = (weight: number) =>
  when<FormFacts>(
    'one step of several',
    weight,
    ({ page, hiddenParts, place }) => place === 'main' && ((page.setting.stage?.of ?? 0) > 1 || hiddenParts.length > 1),
  );
export const choices = (weight: number) => when<FormFacts>('values to choose from', weight, hasChoices);
export const besideList = (weight: number) =>
  when<FormFacts>(
    'a list or a table on the page',
    weight,
    ({ page: { setting } }) =>
      setting.tables.some(({ rows }) => rows > 1) ||
      setting.links.filter(({ isItem, place }) => isItem && place === 'main').length > 3,
  );
export const emailField = (weight: number) =>
  when<FormFacts>(
    'a field for an email address',
    weight,
    ({ kinds, autocomplete, fieldWords }) =>
      kinds.has('email') || autocomplete.has('email') || /\be-?mail\b/i.test(fieldWords),
  );

export const urlChanges: Sign = { kind: 'url-changes', value: '', basis: 'usual' };
export const appears = (value: string): Sign => ({ kind: 'text-appears', value, basis: 'usual' });
export const listChanges: Sign = { kind: 'list-changes', value: '', basis: 'usual' };

export function hasChoices({ kinds }: FormFacts): boolean {
  return ['select', 'multi-select', 'checkbox', 'checkbox-group', 'radio-group', 'range', 'number'].some((name) =>
    kinds.has(name),
  );
}

export function isLanguageChoice({ shown }: FormFacts): boolean {
  return shown.some(
    ({ options }) => options.length > 1 && options.every(({ label }) => words.language.test(label.trim())),
  );
}
