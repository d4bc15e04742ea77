import { record } from '../../../../test/corpus/page-client.js';
import '@formio/js/dist/formio.full.min.css';
import 'bootstrap/dist/css/bootstrap.min.css';
import 'flatpickr/dist/flatpickr.css';
import './flatpickr-global.js';
import '@formio/js/dist/formio.full.min.js';

const calendar = { type: 'calendar', enableTime: false, format: 'yyyy-MM-dd', allowInput: true, mode: 'single' };
const components = [
  { type: 'textfield', key: 'text', label: 'Name' },
  { type: 'number', key: 'number', label: 'Age' },
  { type: 'currency', key: 'cost', label: 'Cost' },
  { type: 'phoneNumber', key: 'phone', label: 'Phone', inputMask: '(999) 999-9999' },
  { type: 'datetime', key: 'when', label: 'When', enableTime: false, format: 'yyyy-MM-dd', widget: calendar },
  {
    type: 'day',
    key: 'day',
    label: 'Day',
    fields: { day: { type: 'number' }, month: { type: 'select' }, year: { type: 'number' } },
  },
  {
    type: 'select',
    key: 'select',
    label: 'Country',
    data: {
      values: [
        { label: 'Germany', value: 'de' },
        { label: 'France', value: 'fr' },
        { label: 'Spain', value: 'es' },
      ],
    },
  },
  {
    type: 'select',
    key: 'languages',
    label: 'Languages',
    multiple: true,
    data: {
      values: [
        { label: 'English', value: 'en' },
        { label: 'German', value: 'de' },
        { label: 'Dutch', value: 'nl' },
      ],
    },
  },
  {
    type: 'selectboxes',
    key: 'pets',
    label: 'Pets',
    values: [
      { label: 'Cat', value: 'cat' },
      { label: 'Dog', value: 'dog' },
    ],
  },
  {
    type: 'radio',
    key: 'radio',
    label: 'Size',
    values: [
      { label: 'Small', value: 's' },
      { label: 'Large', value: 'l' },
    ],
  },
  { type: 'checkbox', key: 'agree', label: 'Agree' },
  {
    type: 'survey',
    key: 'survey',
    label: 'Survey',
    questions: [
      { label: 'Cheap', value: 'cheap' },
      { label: 'Fast', value: 'fast' },
    ],
    values: [
      { label: 'No', value: 'no' },
      { label: 'Yes', value: 'yes' },
    ],
  },
  { type: 'tags', key: 'tags', label: 'Tags' },
  { type: 'textarea', key: 'area', label: 'Text', wysiwyg: false },
  { type: 'time', key: 'time', label: 'Time' },
];
const { Formio } = window;
Formio.icons = 'fontawesome';
Formio.createForm(document.getElementById('app'), {
  components: components.map((component) => ({ input: true, ...component })),
}).then((form) => record(() => form.submission.data));
