import { record } from '../../page-client.js';
import 'govuk-frontend/dist/govuk/govuk-frontend.min.css';
import { initAll } from 'govuk-frontend';

document.body.className = 'govuk-template__body js-enabled govuk-frontend-supported';
initAll();
record(() => {
  const data = new FormData(document.querySelector('form'));
  const [year, month, day] = ['year', 'month', 'day'].map((part) => data.get(`date-${part}`)?.padStart(2, '0'));
  return { ...Object.fromEntries(data), date: `${year}-${month}-${day}`, check: data.getAll('check') };
});
