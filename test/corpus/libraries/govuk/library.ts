import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import nunjucks from 'nunjucks';
import { type CorpusLibrary, chooseForms } from '../../corpus-model.ts';

const frontend = dirname(createRequire(import.meta.url).resolve('govuk-frontend/package.json'));
const templates = new nunjucks.Environment(
  new nunjucks.FileSystemLoader([join(frontend, 'dist'), import.meta.dirname]),
  { autoescape: true },
);

export const govuk: CorpusLibrary = {
  name: 'govuk',
  folder: import.meta.dirname,
  render: (page, state) => templates.render(`${page}.njk`, state),
  widgets: [
    { name: 'text', value: 'Ann' },
    { name: 'date', value: '2027-03-23' },
    { name: 'radio', value: 'Wales', expected: ['wales'] },
    { name: 'check', value: ['Email', 'Text message'], expected: [['email', 'text']] },
    { name: 'select', value: 'Recently updated', expected: ['updated'] },
    { name: 'area', value: 'long text' },
    { name: 'count', value: 'counted text' },
    { name: 'password', value: 'correct horse' },
    { name: 'price', value: '12.50' },
  ],
  forms: chooseForms('accepted', 'refused', 'refused with 200', 'flash', 'mute', 'draft', 'e-mail', 'broken'),
};
