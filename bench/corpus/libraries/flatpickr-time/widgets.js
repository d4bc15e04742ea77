import { recordChanges } from '../../../../test/corpus/page-client.js';
import 'flatpickr/dist/flatpickr.css';
import flatpickr from 'flatpickr';

document.getElementById('app').innerHTML = '<p data-widget="time"><label>A time <input id="time"></label></p>';
const received = recordChanges();
const onChange = (_, text) => received('time', text);
flatpickr('#time', { enableTime: true, noCalendar: true, dateFormat: 'H:i', time_24hr: true, onChange });
