import 'govuk-frontend/dist/govuk/govuk-frontend.min.css';
import { initAll } from 'govuk-frontend';

document.body.className = 'govuk-template__body js-enabled govuk-frontend-supported';
initAll();
