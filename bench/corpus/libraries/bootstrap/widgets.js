import { record } from '../../../../test/corpus/page-client.js';
import 'bootstrap/dist/css/bootstrap.min.css';
import 'bootstrap';
import markup from './widgets.html';

document.getElementById('app').innerHTML = markup;
const form = document.querySelector('form');
record(() => {
  const data = new FormData(form);
  return { ...Object.fromEntries(data), boxes: data.getAll('boxes'), switch: data.has('switch') };
});
