import { Failure, quote } from '../../../platform/errors.ts';
import { actionFailure } from '../../../platform/page/act/action-failure.ts';
import { type ControlValue, setValue } from '../../../platform/page/act/set-value.ts';
import { normalizeWords } from '../../../platform/page/act/value-comparison.ts';
import type { Control, PageReading } from '../../../platform/page/page-model.ts';
import { actAndSettle } from '../../../platform/page/settle/settle.ts';
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
  /** From 1. */
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

/** Does one after the other. One that fails is told by its number, and the others are done all the same. */
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

/** The driver's own words repeat what it was asked to type, and are logged when nobody expected them. */
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

/** Returns what the page is afterwards. */
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
  await actAndSettle(page, () => setValue(page, control, value, { timeoutMs: ACTION_MS, signal: doing.signal }), {
    signal: doing.signal,
  });
  const after = await readSessionPage(session);
  if (control.kind === 'password' || action.action === 'upload') return after;
  // What was typed into a private field is no example for others.
  if (!isPersonal) recordAnswer(session, control, value);
  recordReveals(session, before, after, control, String(value));
  return after;
}

/** The control that is to be set, and to what. A group of radio buttons may be named, or one of its buttons checked. */
async function resolveTarget(
  session: DiscoverySession,
  action: DiscoveryAction,
  reading: PageReading,
): Promise<{ control: Control; value: ControlValue }> {
  const given = action.value ?? '';
  const isSwitch = action.action === 'check' || action.action === 'uncheck';
  if (!isSwitch && action.value === undefined)
    throw new Failure('bad_input', 'VALUE_REFUSED', `The action ${action.action} needs a value.`);
  const group = findGroupByName(reading, action.selector, createPersonalTextMask(session));
  if (group) return { control: group, value: isSwitch ? given : parseChoices(group, given) };
  const { locator } = await resolveSelector(sessionPage(session), action.selector, action.selector_type);
  const found = await findControlAt(locator, reading);
  if (!found)
    throw new Failure('bad_input', 'WRONG_KIND', `${quote(action.selector)} leads to something that takes no value.`);
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

/** A question that is no single element is named by its words, or by some of them that no other has. */
function findGroupByName({ controls }: PageReading, words: string, open: PersonalTextMask): Control | undefined {
  const groups = controls.filter(({ kind, visible }) => visible && /-group$|^date-parts$/.test(kind));
  const exact = groups.find(({ name }) => name === words || open.maskText(name) === words);
  const near = groups.filter(({ name }) => normalizeWords(name).includes(normalizeWords(words)));
  return exact ?? (near.length === 1 && /\w{3}/.test(words) && !/^[#.[]|[=>]/.test(words) ? near[0] : undefined);
}

/** Of a date in parts the one part that was named, if it was one. */
function findDatePart(control: Control, selector: string): Control | undefined {
  return control.parts.find(({ control: each }) => each.name === selector || `#${each.id}` === selector)?.control;
}

/** Several choices are given one to a line. */
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
        `There is no key ${quote(value)}; keys are called Enter, Tab, ArrowDown …`,
      );
    throw actionFailure(error, `What ${quote(selector)} leads to`);
  }
  return readSessionPage(session);
}
