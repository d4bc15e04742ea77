import { sendJson } from '../../../../test/corpus/page-client.js';
import '@formio/js/dist/formio.full.min.css';
import 'bootstrap/dist/css/bootstrap.min.css';
import '@formio/js/dist/formio.full.min.js';

const { Formio } = window;
Formio.icons = 'fontawesome';
const components = [
  { type: 'textfield', key: 'name', label: 'Full name', input: true, validate: { required: true } },
  { type: 'email', key: 'email', label: 'Email address', input: true, validate: { required: true } },
  { type: 'number', key: 'amount', label: 'Amount', input: true, validate: { min: 1, max: 100 } },
  { type: 'button', action: 'submit', key: 'submit', label: 'Send', theme: 'primary', input: true },
];
const customValidation = async (submission, next) => {
  const answer = await sendJson(submission.data);
  const errors = Object.entries(answer.errors).map(([path, message]) => ({ message, path: [path] }));
  if (errors.length === 0 && !answer.isOk) errors.push('The service does not respond.');
  next(errors.length > 0 ? errors : null);
};
Formio.createForm(document.getElementById('app'), { components }, { hooks: { customValidation } }).then((form) => {
  form.nosubmit = true;
});
