import { recordChanges } from '../../page-client.js';
import 'flatpickr/dist/flatpickr.css';
import flatpickr from 'flatpickr';

document.getElementById('app').innerHTML = ['date', 'moment']
  .map((name) => `<p data-widget="${name}"><label>A ${name} <input id="${name}"></label></p>`)
  .join('');
const received = recordChanges();
const pick = (name, options) => flatpickr(`#${name}`, { ...options, onChange: (_, text) => received(name, text) });
pick('date', {});
pick('moment', { enableTime: true, altInput: true, altFormat: 'F j, Y H:i', time_24hr: true });
