import { recordChanges } from '../../page-client.js';
import markup from './widgets.html';

const received = recordChanges();
document.getElementById('app').innerHTML = markup;
const readField = (field) => {
  if (field.type === 'checkbox') return field.checked;
  return field.multiple ? [...field.selectedOptions].map(({ value }) => value) : field.value;
};
document.querySelector('form').addEventListener('change', ({ target }) => received(target.name, readField(target)));
document
  .querySelector('[contenteditable]')
  .addEventListener('input', ({ target }) => received('rich', target.innerText));
