import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const uswds: CorpusLibrary = {
  name: 'uswds',
  folder: import.meta.dirname,
  widgets: [
    { name: 'text', value: 'Ann' },
    { name: 'combo', value: 'Banana', expected: ['banana'] },
    { name: 'date', value: '2027-03-23' },
    { name: 'time', value: '10:30', expected: ['10:30'] },
    { name: 'memorable', value: '2027-03-23' },
    { name: 'range', value: 40, expected: ['40'] },
    { name: 'radio', value: 'Large', expected: ['l'] },
    { name: 'check', value: true, expected: ['on'] },
    { name: 'select', value: 'Option B', expected: ['b'] },
    { name: 'count', value: 'counted text' },
  ],
  forms: chooseForms('accepted', 'refused', 'refused with 200', 'mute', 'reset'),
};
