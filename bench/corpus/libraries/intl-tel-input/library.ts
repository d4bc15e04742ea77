import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

export const intlTelInput: CorpusLibrary = {
  name: 'intl-tel-input',
  folder: import.meta.dirname,
  widgets: [{ name: 'phone', value: '+33612345678' }],
  forms: [],
};
