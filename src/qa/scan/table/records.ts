import { about, action, type FormClass, field, kind, method, submit, when } from '../model.ts';
import { words } from '../words.ts';
import { choices, empty, fewFields, noFields, ofOneRecord, prefilled, staged, urlChanges } from './signals.ts';

/** What is done with records: the daily work of a back office. */
export const recordForms: readonly FormClass[] = [
  {
    class: 'upload',
    title: 'Upload a file{: heading}',
    description: 'A user uploads a file: {fields}.',
    signals: [
      kind('file', 0.5),
      kind('textarea', -0.3),
      submit(words.upload, 0.2),
      about(words.upload, 0.2),
      fewFields(3, 0.1),
      when('it sends files', 0.1, ({ multipart }) => multipart),
      staged(-0.3),
    ],
    accepts: [
      ['A file of the right kind is accepted', 'A message confirms it'],
      ['Other files are refused', 'A message says so'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'edit',
    title: 'Edit {a thing}',
    description: 'A user changes an existing record: {fields}.',
    signals: [
      ofOneRecord(0.3),
      about(words.edit, 0.2),
      submit(words.save, 0.25),
      prefilled(0.15),
      method('post', 0.1),
      choices(0.05),
      kind('password', -0.4),
      submit(words.remove, -0.8),
      noFields(-0.6),
      field(words.feedback, -0.4),
      submit(words.addToCart, -0.6),
      submit(words.booking, -0.4),
      submit(words.message, -0.3),
      when('a form that was opened by a click', -0.3, ({ page }) => page.opened.length > 0),
    ],
    accepts: [
      ['Changes are kept', 'The record shows them afterwards'],
      ['Bad data is refused', 'Each problem is named beside its field'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'create',
    title: 'Create {a thing}',
    description: 'A user adds a record, giving {fields}.',
    signals: [
      about(/\b(new|create|add|invite|start an?|neu\w*|anlegen|nouveau|nuevo)\b/i, 0.35),
      submit(words.create, 0.3),
      submit(words.publish, 0.3),
      method('post', 0.1),
      empty(0.1),
      fewFields(30, 0.05),
      kind('password', -0.5),
      submit(words.addToCart, -0.8),
      submit(words.signUp, -0.5),
      field(words.feedback, -0.3),
      noFields(-0.6),
      about(/\b(edit|bearbeiten|modifier|editar)\b/i, -0.5),
      kind('file', -0.2),
    ],
    accepts: [
      ['A record can be added', 'It is there afterwards'],
      ['Missing or bad data is refused', 'Each problem is named beside its field'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'delete',
    title: 'Delete {a thing}',
    description: 'A user takes a record away.',
    signals: [
      submit(words.remove, 0.65),
      action(/\b(delete|remove|destroy)\b/i, 0.25),
      noFields(0.1),
      method('post', 0.05),
      fewFields(30, -0.4),
    ],
    accepts: [['The record is gone afterwards', 'It is no longer listed']],
    expected: [{ kind: 'text-gone', value: '', basis: 'usual' }],
  },
];
