import type { FormFeatures } from '../../read/page-features.ts';
import type { ExpectedSign } from '../../use-case-evidence.ts';
import { siteWords } from '../../words/site-words.ts';
import { signalWhen } from '../class-rules.ts';

export const hasFewFields = (most: number, weight: number) =>
  signalWhen<FormFeatures>(`at most ${most} fields`, weight, ({ shown }) => shown.length <= most && shown.length > 0);
export const hasNoFields = (weight: number) =>
  signalWhen<FormFeatures>('no fields', weight, ({ shown }) => shown.length === 0);
export const hasTwoPasswords = (weight: number) =>
  signalWhen<FormFeatures>('two passwords', weight, ({ passwords }) => passwords > 1);
export const hasNoPassword = (weight: number) =>
  signalWhen<FormFeatures>('no password', weight, ({ passwords }) => passwords === 0);
export const isPrefilled = (weight: number) =>
  signalWhen<FormFeatures>('fields that hold something', weight, ({ filled }) => filled > 0);
export const isBlankField = (weight: number) =>
  signalWhen<FormFeatures>('empty fields', weight, ({ filled }) => filled === 0);
export const isOnRecordPage = (weight: number) =>
  signalWhen<FormFeatures>('the page of one record', weight, ({ page }) => page.state.template.includes(':id'));
export const isOneOfSeveralSteps = (weight: number) =>
  signalWhen<FormFeatures>(
    'one step of several',
    weight,
    ({ page, hiddenParts, place: region }) =>
      region === 'main' && ((page.setting.stage?.of ?? 0) > 1 || hiddenParts.length > 1),
  );
export const hasChoiceFields = (weight: number) =>
  signalWhen<FormFeatures>('values to choose from', weight, hasChoices);
export const isBesideList = (weight: number) =>
  signalWhen<FormFeatures>(
    'a list or a table on the page',
    weight,
    ({ page: { setting } }) =>
      setting.tables.some(({ rows }) => rows > 1) ||
      setting.links.filter(({ isItem, place: region }) => isItem && region === 'main').length > 3,
  );
export const hasEmailField = (weight: number) =>
  signalWhen<FormFeatures>(
    'a field for an email address',
    weight,
    ({ kinds, autocomplete, fieldWords }) =>
      kinds.has('email') || autocomplete.has('email') || /\be-?mail\b/i.test(fieldWords),
  );

export const urlChanges: ExpectedSign = { kind: 'url-changes', value: '', basis: 'usual' };
export const textAppears = (value: string): ExpectedSign => ({ kind: 'text-appears', value, basis: 'usual' });
export const listChanges: ExpectedSign = { kind: 'list-changes', value: '', basis: 'usual' };

export function hasChoices({ kinds }: FormFeatures): boolean {
  return ['select', 'multi-select', 'checkbox', 'checkbox-group', 'radio-group', 'range', 'number'].some((name) =>
    kinds.has(name),
  );
}

export function isLanguageChoice({ shown }: FormFeatures): boolean {
  return shown.some(
    ({ options }) => options.length > 1 && options.every(({ label }) => siteWords.language.test(label.trim())),
  );
}
