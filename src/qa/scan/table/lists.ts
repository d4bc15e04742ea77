import { about, action, type FormClass, field, kind, method, submit, when } from '../model.ts';
import { words } from '../words.ts';
import { besideList, choices, hasChoices, isLanguageChoice, listChanges, noFields, staged } from './signals.ts';

/** What makes long lists short. Several of these may share one form. */
export const listForms: readonly FormClass[] = [
  {
    class: 'search',
    title: 'Search {things}',
    description: 'A visitor looks for something: {fields}.',
    shares: true,
    signals: [
      when('it is marked as a search', 0.5, ({ isSearch }) => isSearch),
      kind('search', 0.3),
      field(words.search, 0.3),
      field(/(^|· )(q|s|query|search|suche|keywords?)( ·|$)/i, 0.25),
      submit(words.search, 0.3),
      action(words.search, 0.2),
      about(words.search, 0.1),
      method('get', 0.1),
      when('a field for text', 0.1, ({ kinds }) => kinds.has('text') || kinds.has('search')),
      method('post', -0.2),
      kind('password', -0.8),
      kind('textarea', -0.5),
      field(/\b(reference|order|case|tracking) (number|no|code)\b/i, -0.3),
      noFields(-0.8),
      when(
        'no field for text',
        -0.8,
        ({ kinds }) => !['text', 'search', 'typeahead', 'number', 'tel'].some((name) => kinds.has(name)),
      ),
    ],
    accepts: [
      ['What exists is found', 'It is among the results'],
      ['What does not exist is not', 'The page says that nothing was found'],
    ],
    expected: [listChanges],
  },
  {
    class: 'filter',
    title: 'Narrow {things}',
    description: 'A visitor narrows the list by {fields}.',
    shares: true,
    signals: [
      choices(0.3),
      when('nothing to choose from', -0.5, (facts) => !hasChoices(facts)),
      method('get', 0.15),
      besideList(0.2),
      submit(words.filter, 0.1),
      field(words.filter, 0.15),
      about(/\bfilters?\b/i, 0.1),
      method('post', -0.6),
      kind('password', -0.8),
      kind('textarea', -0.6),
      staged(-0.4),
      when(
        'only an order to choose',
        -0.7,
        ({ shown, fieldWords }) => shown.length === 1 && words.sort.test(fieldWords),
      ),
      when('a form for languages', -0.8, (facts) => isLanguageChoice(facts)),
    ],
    accepts: [['Only what fits is listed', 'Every entry satisfies the choice']],
    expected: [listChanges],
  },
  {
    class: 'sort',
    title: 'Sort {things}',
    description: 'A visitor puts the list into another order.',
    shares: true,
    signals: [
      field(words.sort, 0.6),
      when('an order to choose', 0.2, ({ kinds }) => kinds.has('select') || kinds.has('radio-group')),
      besideList(0.1),
      method('post', -0.6),
    ],
    accepts: [['The list is put into the chosen order', 'Its entries follow it']],
    expected: [listChanges],
  },
  {
    class: 'language',
    title: 'Change the language',
    description: 'A visitor reads the site in another language.',
    shares: true,
    signals: [when('languages to choose from', 0.7, (facts) => isLanguageChoice(facts)), method('post', 0)],
    accepts: [['The page is in the chosen language', 'Its texts and its language attribute change']],
    expected: [{ kind: 'language', value: '', basis: 'usual' }],
  },
];
