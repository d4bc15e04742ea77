import { action, redrawn } from '../../../../test/corpus/page-client.js';
import '@uswds/uswds/css/uswds.min.css';

const field = (name, label) => {
  const error = redrawn.errors[name];
  const input = `<input class="usa-input ${error ? 'usa-input--error' : ''}" id="${name}" name="${name}" value="${redrawn.values[name] ?? ''}"
    ${error ? `aria-describedby="${name}-error"` : ''}>`;
  const words = error ? `<span class="usa-error-message" id="${name}-error" role="alert">${error}</span>` : '';
  return `<div class="usa-form-group ${error ? 'usa-form-group--error' : ''}">
    <label class="usa-label ${error ? 'usa-label--error' : ''}" for="${name}">${label}</label>${words}${input}</div>`;
};
const fields = [field('name', 'Full name'), field('email', 'Email address'), field('amount', 'Amount')];
document.getElementById('app').innerHTML =
  `<h1>Order</h1><form class="usa-form" method="post" action="${action}">${fields.join('')}<button class="usa-button">Send</button></form>`;
require('@uswds/uswds/js');
