import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const jsonForms: CorpusLibrary = {
  name: 'json-forms',
  folder: import.meta.dirname,
  widgets: [
    { name: 'text', value: 'Ann' },
    { name: 'number', value: '4.5', expected: [4.5] },
    { name: 'integer', value: '42', expected: [42] },
    { name: 'boolean', value: true },
    { name: 'choice', value: 'Large' },
    { name: 'titled', value: 'France', expected: ['fr'] },
    { name: 'date', value: '2027-03-23' },
    { name: 'time', value: '10:15', expected: /^10:15/ },
    { name: 'area', value: 'long text' },
    { name: 'slider', value: 4 },
    { name: 'toggle', value: true },
    { name: 'radio', value: 'Tea' },
  ],
  forms: chooseForms('accepted', 'missing name', 'amount too high', 'refused', 'mute'),
};
