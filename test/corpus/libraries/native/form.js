import { action, redrawn } from '../../page-client.js';

// The plain elements of HTML, with errors as WCAG technique ARIA21 has them.
const fields = [
  ['name', 'Full name', 'text', 'required'],
  ['email', 'Email address', 'email', 'required'],
  ['amount', 'Amount', 'number', 'min="1" max="100"'],
];
const drawn = fields.map(([name, label, type, rules]) => {
  const error = redrawn.errors[name];
  const mark = error ? `aria-invalid="true" aria-describedby="${name}-error"` : '';
  const words = error ? `<span id="${name}-error">${error}</span>` : '';
  return `<p><label for="${name}">${label}</label> <input id="${name}" name="${name}" type="${type}" ${rules} ${mark}
    value="${redrawn.values[name] ?? ''}"> ${words}</p>`;
});
const draw = () => {
  document.getElementById('app').innerHTML = `<h1>Order</h1><form method="post" action="${action}">${drawn.join('')}
    <button>Send</button> <button type="button">Start</button></form>`;
  document.querySelector('[type=button]').addEventListener('click', draw);
};
draw();
