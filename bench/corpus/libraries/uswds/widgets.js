import { record } from '../../../../test/corpus/page-client.js';
import '@uswds/uswds/css/uswds.min.css';
import markup from './widgets.html';

document.getElementById('app').innerHTML = markup;
require('@uswds/uswds/js');
record(() => {
  const data = Object.fromEntries(new FormData(document.querySelector('form')));
  const pad = (text) => text?.padStart(2, '0');
  return {
    ...data,
    memorable: `${data.year}-${data.month}-${pad(data.day)}`,
  };
});
