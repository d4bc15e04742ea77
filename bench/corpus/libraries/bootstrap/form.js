import { action, redrawn } from '../../../../test/corpus/page-client.js';
import 'bootstrap/dist/css/bootstrap.min.css';

const field = (name, label, type, rules, words) => {
  const error = redrawn.errors[name];
  return `<div class="mb-3"><label class="form-label" for="${name}">${label}</label>
    <input class="form-control ${error ? 'is-invalid' : ''}" id="${name}" name="${name}" type="${type}" ${rules} value="${redrawn.values[name] ?? ''}">
    <div class="invalid-feedback">${error ?? words}</div></div>`;
};
document.getElementById('app').innerHTML = `<h1>Order</h1><form method="post" action="${action}" novalidate>
  ${field('name', 'Full name', 'text', 'required', 'Tell us what to call you')}
  ${field('email', 'Email address', 'email', 'required', 'Use the form name@place')}
  ${field('amount', 'Amount', 'number', 'min="1" max="100"', 'From 1 to 100')}
  <button class="btn btn-primary">Send</button></form>`;
const form = document.querySelector('form');
form.addEventListener('submit', (event) => {
  if (!form.checkValidity()) event.preventDefault();
  form.classList.add('was-validated');
});
