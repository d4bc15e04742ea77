import type { Page } from 'playwright-core';
import type { CasePlan } from '../../cases/case-plan.ts';
import type { ReplaySession } from '../../replay/session/replay-session.ts';
import { isExpectation, type ScriptStep } from '../model/script-steps.ts';

/** A way to break a site on purpose. A script that does not detect it proves nothing. */
export interface PageMutant {
  name: string;
  /** Breaks the page just before the last action of the script. */
  breakPage(session: ReplaySession): Promise<void>;
  /** The last action has no effect, so the page stays as it was before. */
  keepsPage: boolean;
}

/** Every request is answered with an empty page. */
const blankResponses: PageMutant = {
  name: 'answers are empty pages',
  keepsPage: false,
  async breakPage({ context }) {
    await context.route('**/*', async (route) => {
      const isPage = route.request().resourceType() === 'document';
      await route.fulfill({
        status: 200,
        contentType: 'text/html',
        body: isPage ? '<!doctype html><main></main>' : '',
      });
    });
  },
};

/** Clicks, choices and submissions have no effect. */
const deadControls: PageMutant = {
  name: 'the control does nothing',
  keepsPage: true,
  breakPage: (session) =>
    inAllFrames(session.page(), () => {
      const stop = (event: Event) => {
        event.stopImmediatePropagation();
        event.preventDefault();
      };
      for (const kind of ['click', 'submit', 'change', 'keydown', 'keypress', 'input'])
        addEventListener(kind, stop, true);
    }),
};

/** Going back stays on the page. A page from the back-forward cache sends no request, so no response could be broken. */
const deadHistory: PageMutant = {
  name: 'going back leads nowhere',
  keepsPage: true,
  breakPage: (session) => session.page().evaluate(() => history.pushState(null, '', location.href)),
};

/**
 * The page no longer validates input, neither by constraints nor by script; the browser keeps its default behaviour.
 * Requests are answered with blank pages.
 */
const noConstraints: PageMutant = {
  name: 'the form without its constraints',
  keepsPage: false,
  async breakPage(session) {
    await blankResponses.breakPage(session);
    await inAllFrames(session.page(), removeValidation);
  },
};

async function inAllFrames(page: Page, work: () => void): Promise<void> {
  // A frame may have been removed, and a frame of another site may not be readable.
  await Promise.all(page.frames().map((frame) => frame.evaluate(work).catch(() => {})));
}

/** Runs in the page. Events of a form do not leave a component, so each component gets listeners. */
function removeValidation(): void {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  const constraints = ['required', 'min', 'max', 'step', 'minlength', 'maxlength', 'pattern', 'aria-required'];
  const handled = [
    'submit',
    'click',
    'beforeinput',
    'input',
    'change',
    'keydown',
    'keypress',
    'keyup',
    'blur',
    'invalid',
  ];
  const silence = (event: Event) => event.stopImmediatePropagation();
  for (const kind of handled) addEventListener(kind, silence, true);
  for (const root of roots) {
    for (const kind of handled) root.addEventListener(kind, silence, true);
    for (const field of root.querySelectorAll('input, select, textarea')) {
      for (const name of constraints) field.removeAttribute(name);
      if (field instanceof HTMLInputElement && ['email', 'url', 'number'].includes(field.type)) field.type = 'text';
    }
    for (const button of root.querySelectorAll('button, input')) button.removeAttribute('disabled');
    for (const form of root.querySelectorAll('form')) {
      form.noValidate = true;
      // Replaces the request that the page's script would have sent.
      if (form.getAttribute('method')?.toLowerCase() !== 'dialog') form.setAttribute('method', 'post');
    }
  }
}

/** The mutants that apply to a case. */
export function mutantsForPlan({ expected, kind, send, control, after }: CasePlan): PageMutant[] {
  if (expected.outcome === 'rejected' || expected.outcome === 'cut') return [noConstraints];
  if (after.at(-1) === 'back') return [deadHistory];
  if (expected.outcome === 'refused-entry' || after.length > 0) return [blankResponses];
  const isOnlyOpened = kind === 'action' && control === null && send === 'none';
  return isOnlyOpened ? [blankResponses] : [deadControls];
}

/** Where the last action happens. */
export function lastActionIndex(steps: readonly ScriptStep[]): number {
  return steps.findLastIndex((step) => !isExpectation(step));
}

/** For a script of unknown purpose, the last action decides. */
export function mutantsForSteps(steps: readonly ScriptStep[]): PageMutant[] {
  const last = steps[lastActionIndex(steps)];
  if (steps.some(({ do: what }) => what === 'expectInvalid' || what === 'expectDisabled')) return [noConstraints];
  if (last?.do === 'back') return [deadHistory];
  return last?.do === 'goto' || last?.do === 'reload' ? [blankResponses] : [deadControls];
}
