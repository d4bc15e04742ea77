import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const shoelace: CorpusLibrary = {
  name: 'shoelace',
  folder: import.meta.dirname,
  widgets: [
    { name: 'input', value: 'Ann' },
    { name: 'number', value: '42' },
    { name: 'select', value: 'France', expected: ['fr'] },
    { name: 'multiple', value: ['English', 'Spanish'], expected: [['en', 'es']] },
    { name: 'range', value: 35 },
    { name: 'rating', value: '4', expected: [4] },
    { name: 'switch', value: true },
    { name: 'check', value: true },
    { name: 'radio', value: 'Large', expected: ['l'] },
    { name: 'area', value: 'long' },
    { name: 'color', value: '#ff0000' },
    { name: 'date', value: '2027-03-23' },
  ],
  forms: chooseForms('accepted', 'missing name', 'wrong e-mail', 'refused', 'mute', 'reset', 'start'),
};
