import type { Locator, Page } from 'playwright-core';
import type { PrivateText } from '../../../platform/page/capture/private-text.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Control } from '../../../platform/page/page-model.ts';
import { disguisePatterns } from '../../../platform/redaction/disguised-values.ts';
import { createRedactor } from '../../../platform/redaction/redactor.ts';
import { isPersonalName, PRIVATE_VALUE } from '../../files/private-fields.ts';
import type { DiscoverySession, TypedSecret } from '../session/discovery-session.ts';

/** Whether a control asks for personal data: by its kind, its autocomplete attribute or its name. */
export function asksPersonalData({ kind, constraints, name, group, nameAttribute }: Control, label = name): boolean {
  if (['password', 'email', 'tel'].includes(kind)) return true;
  const auto = constraints.autocomplete ?? '';
  if (/\b(?:name|given-name|family-name|bday|street-address|address|postal|cc-|tel|email)/.test(auto)) return true;
  return isPersonalName(label || (nameAttribute ?? ''), group);
}

/** Records a secret. Call it before typing, so that an error on the way is redacted too. */
export function recordSecret(session: DiscoverySession, control: Control, value: string): void {
  const ladders = [control.ladder, ...control.parts.map((part) => part.control.ladder)];
  // The labels of choices are on the page for every user, so they are no secrets.
  const typed = control.options.length > 0 && control.kind !== 'typeahead' ? '' : value;
  session.secrets.push({ selectors: ladders.flatMap((ladder) => ladder.map(rungToSelector)), value: typed });
}

/** Redacts values of private fields. Passwords are never read, so they need no redaction. */
export function redactSecrets<Output>({ secrets }: Pick<DiscoverySession, 'secrets'>, output: Output): Output {
  const values = secrets.map(({ value }) => value.trim()).filter(({ length }) => length > 2);
  return values.length === 0 ? output : createRedactor(values, [], PRIVATE_VALUE).value(output);
}

/** The fields that a screenshot must mask: passwords and private fields with typed values. */
export function maskedLocators(page: Page, secrets: readonly TypedSecret[]): Locator[] {
  const ways = new Set(secrets.flatMap((secret) => secret.selectors));
  return [
    ...page.frames().map((frame) => frame.locator('input[type=password]')),
    ...[...ways].map((way) => page.locator(way)),
  ];
}

/** The typed values as text to mask wherever the page repeats them. */
export function toPrivateText(secrets: readonly TypedSecret[]): PrivateText {
  const values = secrets.map(({ value }) => value.trim()).filter(({ length }) => length > 2);
  const patterns = values.flatMap((value) => [RegExp.escape(value), ...disguisePatterns(value)]);
  return { source: patterns.join('|'), alone: [] };
}
