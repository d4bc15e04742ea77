import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const formio: CorpusLibrary = {
  name: 'formio',
  folder: import.meta.dirname,
  selector: (name) => `.formio-component-${name}`,
  widgets: [
    { name: 'text', value: 'Ann' },
    { name: 'number', value: '42', expected: [42] },
    { name: 'cost', value: '1234.5', expected: [1234.5] },
    { name: 'phone', value: '5551234567', expected: ['(555) 123-4567'] },
    { name: 'when', value: '2027-03-23', expected: /^2027-03-23/ },
    { name: 'day', value: '2027-03-23', expected: ['03/23/2027'] },
    { name: 'select', value: 'France', expected: ['fr'] },
    { name: 'languages', value: ['English', 'Dutch'], expected: [['en', 'nl']] },
    { name: 'pets', value: ['Dog'], expected: [{ cat: false, dog: true }] },
    { name: 'radio', value: 'Large', expected: ['l'] },
    { name: 'agree', value: true },
    { name: 'survey', value: { Cheap: 'Yes', Fast: 'No' }, expected: [{ cheap: 'yes', fast: 'no' }] },
    { name: 'tags', value: ['red', 'blue'], expected: ['red,blue'] },
    { name: 'area', value: 'long text' },
    { name: 'time', value: '10:15', expected: /^10:15/ },
  ],
  forms: chooseForms('accepted', 'missing name', 'wrong e-mail', 'amount too high', 'refused', 'hang', 'broken'),
};
