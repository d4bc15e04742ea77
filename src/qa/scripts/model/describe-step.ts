import type { ScriptStep } from './script-steps.ts';

/** A step in words. Values of secrets are unknown here, so none can appear. */
export function describeStep(step: ScriptStep): string {
  switch (step.do) {
    case 'goto':
      return `Open ${step.url}`;
    case 'fill':
    case 'type':
      return step.value === ''
        ? `Leave “${step.on.name}” empty`
        : `Enter “${shorten(step.value)}” in “${step.on.name}”`;
    case 'fillSecret':
      return `Enter the secret ${step.secret} in “${step.on.name}”`;
    case 'select':
      return `Choose ${step.options.map((option) => `“${option}”`).join(', ') || 'nothing'} in “${step.on.name}”`;
    case 'check':
      return `${step.checked ? 'Tick' : 'Untick'} “${step.on.name}”`;
    case 'click':
      return `${step.times > 1 ? 'Double-click' : 'Click'} “${step.on.name}”${step.confirms ? ' and confirm' : ''}${step.unchecked ? ', with form validation disabled' : ''}`;
    case 'press':
      return `Press ${step.key} in “${step.on.name}”`;
    case 'upload':
      return `Upload ${step.file.name} to “${step.on.name}”`;
    case 'reload':
      return 'Reload the page';
    case 'back':
      return 'Go back';
    default:
      return describeExpectation(step);
  }
}

function describeExpectation(step: Extract<ScriptStep, { oracle: unknown }>): string {
  switch (step.do) {
    case 'expectUrl':
      return `The page is ${step.path}`;
    case 'expectVisible':
      return `“${step.on.name}” is visible`;
    case 'expectText':
      return `The page says “${shorten(step.text)}”`;
    case 'expectNoText':
      return `The page does not say “${shorten(step.text)}”`;
    case 'expectDialog':
      return `A dialog says “${shorten(step.text)}”`;
    case 'expectDownload':
      return `The file ${step.file} arrives${step.begins ? ` and begins with “${shorten(step.begins)}”` : ''}`;
    case 'expectValue':
      return `“${step.on.name}” has the value “${shorten(step.value)}”`;
    case 'expectInvalid':
      return `“${step.on.name}” is invalid${step.flag ? ` (${step.flag})` : ''}`;
    case 'expectDisabled':
      return `“${step.on.name}” is disabled`;
    case 'expectCount':
      return `The page shows ${step.count} × ${step.role}`;
    case 'expectEach':
      return `The page lists items, and each ${step.role} contains “${shorten(step.text)}”`;
    case 'expectRequest':
      return `${step.method} ${step.path} was sent${describeCount(step.times)} and answered`;
    case 'expectNoRequest':
      return step.method === '*' ? 'No write request was sent' : `${step.method} ${step.path} was not sent`;
    case 'expectNoErrors':
      return 'No server error and no page error';
  }
}

function describeCount(times: number | undefined): string {
  if (times === undefined) return '';
  return times === 1 ? ' exactly once' : ` ${times} times`;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
