import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const antd: CorpusLibrary = {
  name: 'antd',
  folder: import.meta.dirname,
  widgets: [
    { name: 'select', value: 'Spain', expected: ['sp'] },
    { name: 'multiple', value: ['Germany', 'Spain'], expected: [['ge', 'sp']] },
    { name: 'date', value: '2027-03-23' },
    { name: 'slider', value: 35 },
    { name: 'rate', value: '4', expected: [4] },
    { name: 'switch', value: true },
    { name: 'number', value: '42', expected: [42] },
    { name: 'cascader', value: ['Europe', 'France'], expected: [['eu', 'fr']] },
    { name: 'radio', value: 'Large' },
    { name: 'check', value: ['Dog'] },
    { name: 'autocomplete', value: 'Beta' },
    { name: 'segmented', value: 'Weekly' },
  ],
  forms: chooseForms('accepted', 'missing name', 'wrong e-mail', 'amount too high', 'refused', 'reset', 'hang'),
};
