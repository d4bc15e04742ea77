import type { Step } from './model.ts';

/** A step in words. No value of a secret is known here, so none can be told. */
export function inWords(step: Step): string {
  switch (step.do) {
    case 'goto':
      return `Open ${step.url}`;
    case 'fill':
    case 'type':
      return step.value === '' ? `Leave “${step.on.name}” empty` : `Enter “${short(step.value)}” in “${step.on.name}”`;
    case 'fillSecret':
      return `Enter the secret ${step.secret} in “${step.on.name}”`;
    case 'select':
      return `Choose ${step.options.map((option) => `“${option}”`).join(', ') || 'nothing'} in “${step.on.name}”`;
    case 'check':
      return `${step.checked ? 'Tick' : 'Untick'} “${step.on.name}”`;
    case 'click':
      return `${step.times > 1 ? 'Double-click' : 'Click'} “${step.on.name}”${step.confirms ? ' and confirm it' : ''}${step.unchecked ? ', past the page’s own check' : ''}`;
    case 'press':
      return `Press ${step.key} in “${step.on.name}”`;
    case 'upload':
      return `Upload ${step.file.name} to “${step.on.name}”`;
    case 'reload':
      return 'Reload the page';
    case 'back':
      return 'Go back';
    default:
      return expectationInWords(step);
  }
}

function expectationInWords(step: Extract<Step, { oracle: unknown }>): string {
  switch (step.do) {
    case 'expectUrl':
      return `The page is ${step.path}`;
    case 'expectVisible':
      return `“${step.on.name}” can be seen`;
    case 'expectText':
      return `The page says “${short(step.text)}”`;
    case 'expectNoText':
      return `The page does not say “${short(step.text)}”`;
    case 'expectDialog':
      return `A dialog says “${short(step.text)}”`;
    case 'expectDownload':
      return `The file ${step.file} arrives${step.begins ? ` and begins with “${short(step.begins)}”` : ''}`;
    case 'expectValue':
      return `“${step.on.name}” holds “${short(step.value)}”`;
    case 'expectInvalid':
      return `“${step.on.name}” is refused${step.flag ? ` (${step.flag})` : ''}`;
    case 'expectDisabled':
      return `“${step.on.name}” cannot be clicked`;
    case 'expectCount':
      return `The page shows ${step.count} × ${step.role}`;
    case 'expectEach':
      return `The page lists something, and each ${step.role} says “${short(step.text)}”`;
    case 'expectRequest':
      return `${step.method} ${step.path} was sent${often(step.times)} and answered`;
    case 'expectNoRequest':
      return step.method === '*' ? 'Nothing was sent that writes' : `${step.method} ${step.path} was not sent`;
    case 'expectNoErrors':
      return 'Nothing failed: no server error, no error in the page';
  }
}

function often(times: number | undefined): string {
  if (times === undefined) return '';
  return times === 1 ? ' once, and not more often,' : ` ${times} times`;
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
