import { type CorpusLibrary, chooseForms } from '../../corpus-model.ts';

export const native: CorpusLibrary = {
  name: 'native',
  folder: import.meta.dirname,
  widgets: [
    { name: 'text', value: 'Ann' },
    { name: 'date', value: '2027-03-23' },
    { name: 'time', value: '10:15' },
    { name: 'datetime', value: '2027-03-23T10:15' },
    { name: 'month', value: '2027-03' },
    { name: 'week', value: '2027-W12' },
    { name: 'number', value: '42' },
    { name: 'range', value: 35, expected: ['35'] },
    { name: 'color', value: '#ff0000' },
    { name: 'select', value: 'Two', expected: ['2'] },
    { name: 'multiple', value: ['A', 'C'] },
    { name: 'datalist', value: 'Paris' },
    { name: 'check', value: true },
    { name: 'rich', value: 'Hello' },
  ],
  forms: chooseForms(
    ...['accepted', 'missing name', 'wrong e-mail', 'amount too high', 'refused', 'refused with 200', 'flash'],
    ...['mute', 'reset', 'draft', 'e-mail', 'hang', 'broken', 'start'],
  ),
};
