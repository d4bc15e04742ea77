import { actAndSettle } from '../../../page/settle/settle.ts';
import { Failure, quote } from '../../../platform/errors.ts';
import { actionFailure } from '../../../platform/page/act/action-failure.ts';
import { setControl } from '../../../platform/page/act/set-value.ts';
import type { ControlValue } from '../../../platform/page/act/settable-control.ts';
import { normalizeWords } from '../../../platform/page/act/value-comparison.ts';
import type { Control, PageReading } from '../../../platform/page/page-model.ts';
import { createPersonalTextMask, type PersonalTextMask } from '../propose/personal-text.ts';
import { resolveSelector, type SelectorType, suggestSelector } from '../read-page/selector.ts';
import { findControlAt, readSessionPage, recordAnswer, recordReveals } from '../read-page/session-reading.ts';
import { asksPersonalData, recordSecret } from '../read-page/typed-secrets.ts';
import { type DiscoverySession, sessionPage } from '../session/discovery-session.ts';
import { clickSelector } from './click-element.ts';

export interface DiscoveryAction {
  action: 'fill' | 'select' | 'check' | 'uncheck' | 'press' | 'click' | 'upload';
  selector: string;
  value?: string | undefined;
  selector_type: SelectorType;
}

export interface FailedAction {
  /** Position in the call, from 1. */
  index: number;
  action: string;
  error: string;
  suggestion?: string;
}

interface ActionContext {
  signal: AbortSignal;
  checkPath(path: string): Promise<void>;
}

const ACTION_MS = 5_000;

export interface ActionsOutcome {
  failed: FailedAction[];
  before: PageReading;
  after: PageReading;
}

/** Runs the actions in order. A failed action is reported by its number, and the others still run. */
export async function runActions(
  session: DiscoverySession,
  actions: readonly DiscoveryAction[],
  doing: ActionContext,
): Promise<ActionsOutcome> {
  const failed: FailedAction[] = [];
  const before = await readSessionPage(session);
  let reading = before;
  for (const [i, action] of actions.entries()) {
    doing.signal.throwIfAborted();
    try {
      reading = await runAction(session, action, reading, doing);
    } catch (error) {
      if (!(error instanceof Failure)) throw withoutCallLog(error);
      if (error.code === 'browser_error') throw error;
      reading = await readSessionPage(session);
      failed.push({
        index: i + 1,
        action: action.action,
        error: error.message,
        ...suggestionFor(reading, error, action),
      });
    }
  }
  return { failed, before, after: reading };
}

/** The call log in a driver's message repeats typed values, and unexpected errors are logged. */
function withoutCallLog(error: unknown): unknown {
  return error instanceof Error ? new Error(error.message.split('\n')[0]) : error;
}

function suggestionFor(
  reading: PageReading,
  { code }: Failure,
  { selector, action }: DiscoveryAction,
): { suggestion?: string } {
  if (!/^ELEMENT_(NOT_FOUND|AMBIGUOUS|CHANGED)$|^WRONG_KIND$/.test(code)) return {};
  return { suggestion: suggestSelector(reading, selector, /^(fill|select|upload)$/.test(action)) };
}

/** Returns the page after the action. */
async function runAction(
  session: DiscoverySession,
  action: DiscoveryAction,
  before: PageReading,
  doing: ActionContext,
): Promise<PageReading> {
  const { selector, selector_type: type } = action;
  if (action.action === 'click') return (await clickSelector(session, selector, type, doing.signal, before)).reading;
  if (action.action === 'press') return pressKey(session, action, doing);
  const page = sessionPage(session);
  const { control, value } = await resolveTarget(session, action, before);
  if (action.action === 'upload') await doing.checkPath(String(value));
  const isPersonal = asksPersonalData(control) && typeof value === 'string';
  if (isPersonal) recordSecret(session, control, value);
  if (action.action === 'fill' && typeof value === 'string') session.sentNames.recordTyped(control, value);
  await actAndSettle(page, () => setControl(page, control, value, { timeoutMs: ACTION_MS, signal: doing.signal }), {
    signal: doing.signal,
  });
  const after = await readSessionPage(session);
  if (control.kind === 'password' || action.action === 'upload') return after;
  // A value of a private field must not become an example in the wizard file.
  if (!isPersonal) recordAnswer(session, control, value);
  recordReveals(session, before, after, control, String(value));
  return after;
}

/** The control to set and its value. A selector may name a whole radio group, or one of its buttons. */
async function resolveTarget(
  session: DiscoverySession,
  action: DiscoveryAction,
  reading: PageReading,
): Promise<{ control: Control; value: ControlValue }> {
  const given = action.value ?? '';
  const isSwitch = action.action === 'check' || action.action === 'uncheck';
  if (!isSwitch && action.value === undefined)
    throw new Failure(
      'bad_input',
      'VALUE_REFUSED',
      `The action ${action.action} has no value. Add value to the action.`,
    );
  const group = findGroupByName(reading, action.selector, createPersonalTextMask(session));
  if (group) return { control: group, value: isSwitch ? given : parseChoices(group, given) };
  const { locator } = await resolveSelector(sessionPage(session), action.selector, action.selector_type);
  const found = await findControlAt(locator, reading);
  if (!found)
    throw new Failure(
      'bad_input',
      'WRONG_KIND',
      `${quote(action.selector)} matches an element that takes no value. Use the selector of a field.`,
    );
  const { control, option } = found;
  if (!option)
    return {
      control: findDatePart(control, action.selector) ?? control,
      value: isSwitch ? action.action === 'check' : parseChoices(control, given),
    };
  if (control.kind === 'radio-group') return { control, value: isSwitch ? option.value : given };
  const single: Control = { ...control, kind: 'checkbox', name: option.label, ladder: option.ladder, options: [] };
  return { control: single, value: isSwitch ? action.action === 'check' : given };
}

/** A question with several elements is named by its label, or by a part of it that no other question has. */
function findGroupByName({ controls }: PageReading, words: string, open: PersonalTextMask): Control | undefined {
  const groups = controls.filter(({ kind, visible }) => visible && /-group$|^date-parts$/.test(kind));
  const exact = groups.find(({ name }) => name === words || open.maskText(name) === words);
  const near = groups.filter(({ name }) => normalizeWords(name).includes(normalizeWords(words)));
  return exact ?? (near.length === 1 && /\w{3}/.test(words) && !/^[#.[]|[=>]/.test(words) ? near[0] : undefined);
}

/** The part of a split date that the selector names. */
function findDatePart(control: Control, selector: string): Control | undefined {
  return control.parts.find(({ control: each }) => each.name === selector || `#${each.id}` === selector)?.control;
}

/** Several choices are given one per line. */
function parseChoices({ kind }: Control, given: string): ControlValue {
  if (kind !== 'checkbox-group' && kind !== 'multi-select') return given;
  return given
    .split('\n')
    .map((each) => each.trim())
    .filter(Boolean);
}

async function pressKey(
  session: DiscoverySession,
  { selector, selector_type, value = 'Enter' }: DiscoveryAction,
  doing: ActionContext,
): Promise<PageReading> {
  const page = sessionPage(session);
  const { locator } = await resolveSelector(page, selector, selector_type);
  try {
    await actAndSettle(page, () => locator.press(value, { timeout: ACTION_MS }), { signal: doing.signal });
  } catch (error) {
    if (error instanceof Error && /Unknown key/.test(error.message))
      throw new Failure(
        'bad_input',
        'VALUE_REFUSED',
        `There is no key ${quote(value)}. Use a key name such as Enter, Tab or ArrowDown.`,
      );
    throw actionFailure(error, `The element ${quote(selector)}`);
  }
  return readSessionPage(session);
}
