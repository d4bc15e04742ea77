import type { Locator, Page } from 'playwright-core';
import type { PrivateText } from '../../../platform/page/capture/private-text.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Control } from '../../../platform/page/page-model.ts';
import { disguisePatterns } from '../../../platform/redaction/disguised-values.ts';
import { createRedactor } from '../../../platform/redaction/redactor.ts';
import { isPersonalName, REDACTED } from '../../files/private-fields.ts';
import type { DiscoverySession } from '../session/discovery-session.ts';

/** What was typed into a private field of the form that is being discovered, and where. */
export interface TypedSecret {
  selectors: string[];
  value: string;
}

/** Whether a control asks for something personal: by its kind, by what a browser would fill in, by its name. */
export function asksPersonalData({ kind, constraints, name, group, nameAttribute }: Control, label = name): boolean {
  if (['password', 'email', 'tel'].includes(kind)) return true;
  const auto = constraints.autocomplete ?? '';
  if (/\b(?:name|given-name|family-name|bday|street-address|address|postal|cc-|tel|email)/.test(auto)) return true;
  return isPersonalName(label || (nameAttribute ?? ''), group);
}

/** Before it is typed: whatever happens then, nothing tells it. */
export function recordSecret(session: DiscoverySession, control: Control, value: string): void {
  const ladders = [control.ladder, ...control.parts.map((part) => part.control.ladder)];
  // The words of a choice stand on the page whoever chooses what.
  const typed = control.options.length > 0 && control.kind !== 'typeahead' ? '' : value;
  session.secrets.push({ selectors: ladders.flatMap((ladder) => ladder.map(rungToSelector)), value: typed });
}

/** Takes what was typed into private fields out of what is told; passwords are told by nobody anyway. */
export function redactSecrets<Told>({ secrets }: Pick<DiscoverySession, 'secrets'>, told: Told): Told {
  const values = secrets.map(({ value }) => value.trim()).filter(({ length }) => length > 2);
  return values.length === 0 ? told : createRedactor(values, [], REDACTED).value(told);
}

/** What a picture must not show: passwords, and what was typed into private fields, where it was typed. */
export function maskedLocators(page: Page, secrets: readonly TypedSecret[]): Locator[] {
  const ways = new Set(secrets.flatMap((secret) => secret.selectors));
  return [
    ...page.frames().map((frame) => frame.locator('input[type=password]')),
    ...[...ways].map((way) => page.locator(way)),
  ];
}

/** The same where the site says it again. */
export function toPrivateText(secrets: readonly TypedSecret[]): PrivateText {
  const values = secrets.map(({ value }) => value.trim()).filter(({ length }) => length > 2);
  const patterns = values.flatMap((value) => [RegExp.escape(value), ...disguisePatterns(value)]);
  return { source: patterns.join('|'), alone: [] };
}
