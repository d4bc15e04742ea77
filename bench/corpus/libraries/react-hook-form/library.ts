import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const reactHookForm: CorpusLibrary = {
  name: 'react-hook-form',
  folder: import.meta.dirname,
  widgets: [],
  forms: chooseForms('accepted', 'missing name', 'wrong e-mail', 'amount too high', 'refused', 'mute', 'reset', 'hang'),
};
