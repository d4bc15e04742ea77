import { action, redrawn } from '../../../../test/corpus/page-client.js';
import './jquery-global.js';
import 'parsleyjs';

const $ = window.jQuery;
const field = (name, label, type, rules) =>
  `<p><label for="${name}">${label}</label> <input id="${name}" name="${name}" type="${type}" ${rules} value="${redrawn.values[name] ?? ''}"></p>`;
$('#app').html(`<h1>Order</h1><form method="post" action="${action}">
  ${field('name', 'Full name', 'text', 'required')} ${field('email', 'Email address', 'email', 'required')}
  ${field('amount', 'Amount', 'number', 'min="1" max="100"')} <button>Send</button></form>`);
$('form').parsley();
for (const [name, message] of Object.entries(redrawn.errors)) $(`#${name}`).parsley().addError('server', { message });
