import type { Sign } from './evidence.ts';
import type { FormFacts } from './facts.ts';
import { about, action, type FormClass, field, hint, kind, method, submit, when } from './model.ts';
import { words } from './words.ts';

const fewFields = (most: number, weight: number) =>
  when<FormFacts>(`at most ${most} fields`, weight, ({ shown }) => shown.length <= most && shown.length > 0);
const noFields = (weight: number) => when<FormFacts>('no fields', weight, ({ shown }) => shown.length === 0);
const twoPasswords = (weight: number) => when<FormFacts>('two passwords', weight, ({ passwords }) => passwords > 1);
const noPassword = (weight: number) => when<FormFacts>('no password', weight, ({ passwords }) => passwords === 0);
const prefilled = (weight: number) => when<FormFacts>('fields that hold something', weight, ({ filled }) => filled > 0);
const empty = (weight: number) => when<FormFacts>('empty fields', weight, ({ filled }) => filled === 0);
const ofOneRecord = (weight: number) =>
  when<FormFacts>('the page of one record', weight, ({ page }) => page.state.template.includes(':id'));
const staged = (weight: number) =>
  when<FormFacts>(
    'one step of several',
    weight,
    ({ page, hiddenParts, place }) => place === 'main' && ((page.setting.stage?.of ?? 0) > 1 || hiddenParts.length > 1),
  );
const choices = (weight: number) => when<FormFacts>('values to choose from', weight, hasChoices);
const besideList = (weight: number) =>
  when<FormFacts>(
    'a list or a table on the page',
    weight,
    ({ page: { setting } }) =>
      setting.tables.some(({ rows }) => rows > 1) ||
      setting.links.filter(({ isItem, place }) => isItem && place === 'main').length > 3,
  );
const emailField = (weight: number) =>
  when<FormFacts>(
    'a field for an email address',
    weight,
    ({ kinds, autocomplete, fieldWords }) =>
      kinds.has('email') || autocomplete.has('email') || /\be-?mail\b/i.test(fieldWords),
  );

const urlChanges: Sign = { kind: 'url-changes', value: '', basis: 'usual' };
const appears = (value: string): Sign => ({ kind: 'text-appears', value, basis: 'usual' });
const listChanges: Sign = { kind: 'list-changes', value: '', basis: 'usual' };

/** What forms are for. The weights of what is seen are added up; about 0.6 makes a class likely. */
export const formClasses: readonly FormClass[] = [
  {
    class: 'login',
    title: 'Log in',
    description: 'A user with an account logs in with {fields}.',
    signals: [
      kind('password', 0.35),
      submit(words.login, 0.3),
      about(words.login, 0.15),
      hint('current-password', 0.2),
      hint('username', 0.15),
      fewFields(3, 0.1),
      twoPasswords(-0.6),
      hint('new-password', -0.6),
      noPassword(-0.9),
      submit(words.signUp, -0.4),
    ],
    accepts: [
      ['Right credentials are accepted', 'The user is logged in and sees their own pages'],
      ['Wrong credentials are refused', 'A message says so, and nobody is logged in'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'sign-up',
    title: 'Sign up for an account',
    description: 'A visitor makes an account, giving {fields}.',
    signals: [
      kind('password', 0.2),
      hint('new-password', 0.25),
      twoPasswords(0.15),
      submit(words.signUp, 0.4),
      about(words.signUp, 0.2),
      emailField(0.05),
      noPassword(-0.6),
      field(words.current, -0.5),
      submit(words.login, -0.5),
      about(words.newsletter, -0.4),
    ],
    accepts: [
      ['An account can be made', 'The new user is logged in or asked to confirm'],
      ['Bad data is refused', 'Each problem is named beside its field'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'change-password',
    title: 'Change the password',
    description: 'A user replaces their password, giving {fields}.',
    signals: [
      twoPasswords(0.3),
      field(words.current, 0.2),
      hint('current-password', 0.2),
      hint('new-password', 0.2),
      about(words.password, 0.1),
      submit(words.change, 0.2),
      noPassword(-0.9),
      submit(words.signUp, -0.5),
      about(words.signUp, -0.4),
    ],
    accepts: [
      ['The password can be changed', 'A message confirms it'],
      ['A wrong current password is refused', 'A message says so'],
    ],
    expected: [appears('changed')],
  },
  {
    class: 'reset-password',
    title: 'Reset a forgotten password',
    description: 'A user who forgot their password asks for a new one, giving {fields}.',
    signals: [
      about(words.forgotten, 0.45),
      submit(words.forgotten, 0.2),
      emailField(0.2),
      hint('username', 0.15),
      fewFields(2, 0.1),
      noPassword(0.05),
      kind('textarea', -0.6),
      submit(words.login, -0.6),
      twoPasswords(-0.3),
    ],
    accepts: [['A link can be asked for', 'A message says that it is on its way']],
    expected: [urlChanges],
  },
  {
    class: 'logout',
    title: 'Log out',
    description: 'A user who is logged in ends their session.',
    signals: [submit(words.logout, 0.7), action(words.logout, 0.3), noFields(0.1), kind('password', -0.6)],
    accepts: [['The session ends', 'Pages behind the login are out of reach afterwards']],
    expected: [urlChanges],
  },
  {
    class: 'newsletter',
    title: 'Subscribe to the newsletter',
    description: 'A visitor subscribes to news, giving {fields}.',
    signals: [
      emailField(0.25),
      submit(words.newsletter, 0.3),
      about(words.newsletter, 0.25),
      field(words.newsletter, 0.3),
      action(words.newsletter, 0.2),
      fewFields(2, 0.15),
      kind('password', -0.8),
      kind('textarea', -0.6),
      about(words.forgotten, -0.5),
    ],
    accepts: [
      ['A valid address is accepted', 'A message confirms the subscription'],
      ['A bad address is refused', 'A message says so'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'contact',
    title: 'Send a message',
    description: 'A visitor writes to the people behind the site, giving {fields}.',
    signals: [
      kind('textarea', 0.25),
      emailField(0.15),
      about(words.contact, 0.3),
      submit(words.message, 0.15),
      field(words.message, 0.15),
      action(words.contact, 0.15),
      hint('name', 0.05),
      field(words.feedback, -0.3),
      about(words.feedback, -0.2),
      kind('password', -0.6),
      submit(words.create, -0.2),
    ],
    accepts: [
      ['A message can be sent', 'A confirmation appears'],
      ['Missing or bad data is refused', 'Each problem is named'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'feedback',
    title: 'Give feedback or a review{: heading}',
    description: 'A visitor says what they think of it, giving {fields}.',
    signals: [
      field(words.feedback, 0.3),
      submit(words.feedback, 0.3),
      about(words.feedback, 0.2),
      kind('textarea', 0.1),
      kind('radio-group', 0.1),
      action(words.feedback, 0.1),
      kind('password', -0.6),
      about(words.contact, -0.3),
    ],
    accepts: [['Feedback can be given', 'The page thanks for it or shows it']],
    expected: [appears('thank')],
  },
  {
    class: 'add-to-cart',
    title: 'Put a product into the cart',
    description: 'A customer puts the product into the cart, choosing {fields}.',
    signals: [
      submit(words.addToCart, 0.65),
      action(words.cart, 0.2),
      field(words.quantity, 0.15),
      submit(words.remove, -0.8),
    ],
    accepts: [['The product is put into the cart', 'The cart holds it in the chosen quantity']],
    expected: [appears('cart')],
  },
  {
    class: 'cart',
    title: 'Change quantities in the cart',
    description: 'A customer changes what is in the cart: {fields}.',
    signals: [
      about(words.cart, 0.3),
      action(words.cart, 0.2),
      field(words.quantity, 0.3),
      submit(words.save, 0.2),
      kind('number', 0.1),
      field(words.voucher, -0.6),
      submit(words.remove, -0.5),
      submit(words.addToCart, -0.7),
      noFields(-0.4),
    ],
    accepts: [['Quantities can be changed', 'The total follows']],
    expected: [appears('updated')],
  },
  {
    class: 'voucher',
    title: 'Redeem a voucher',
    description: 'A customer redeems a code: {fields}.',
    signals: [
      field(words.voucher, 0.5),
      submit(words.redeem, 0.2),
      action(words.voucher, 0.2),
      fewFields(1, 0.1),
      kind('password', -0.6),
    ],
    accepts: [
      ['A valid code lowers the price', 'The total shows it'],
      ['An invalid code is refused', 'A message says so'],
    ],
    expected: [appears('voucher')],
  },
  {
    class: 'checkout',
    title: 'Check out',
    description: 'A customer orders what is in the cart, giving {fields}.',
    signals: [
      about(words.checkout, 0.35),
      staged(0.2),
      action(words.checkout, 0.1),
      about(words.delivery, 0.15),
      hint('street-address', 0.15),
      hint('postal-code', 0.1),
      hint('cc-number', 0.4),
      submit(words.checkout, 0.2),
      about(words.settings, -0.4),
      kind('password', -0.3),
    ],
    accepts: [
      ['An order can be placed', 'A confirmation with its number appears'],
      ['Missing data is refused', 'Each problem is named beside its field'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'booking',
    title: 'Book an appointment',
    description: 'A visitor books a time, giving {fields}.',
    signals: [
      about(words.booking, 0.3),
      submit(words.booking, 0.3),
      kind('date', 0.2),
      kind('datetime', 0.2),
      field(words.slot, 0.1),
      kind('radio-group', 0.05),
      staged(-0.2),
    ],
    accepts: [['A free time can be booked', 'A confirmation names it']],
    expected: [appears('booked')],
  },
  {
    class: 'track',
    title: 'Look up the status by reference{: heading}',
    description: 'Somebody looks up how far a matter is, giving {fields}.',
    signals: [
      field(words.track, 0.35),
      submit(words.track, 0.25),
      about(words.track, 0.2),
      fewFields(2, 0.1),
      method('get', 0.05),
      choices(-0.4),
      kind('password', -0.5),
      submit(words.save, -0.4),
    ],
    accepts: [
      ['A known reference shows its status', 'The status appears'],
      ['An unknown one is refused', 'A message says so'],
    ],
    expected: [appears('')],
  },
  {
    class: 'upload',
    title: 'Upload a file{: heading}',
    description: 'A user uploads a file: {fields}.',
    signals: [
      kind('file', 0.5),
      submit(words.upload, 0.2),
      about(words.upload, 0.2),
      fewFields(3, 0.1),
      when('it sends files', 0.1, ({ multipart }) => multipart),
      staged(-0.3),
    ],
    accepts: [
      ['A file of the right kind is accepted', 'A message confirms it'],
      ['Other files are refused', 'A message says so'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'settings',
    title: 'Change the settings{: heading}',
    description: 'A user changes settings: {fields}.',
    signals: [
      about(words.settings, 0.35),
      submit(words.save, 0.25),
      prefilled(0.2),
      method('post', 0.05),
      action(words.settings, 0.1),
      kind('password', -0.4),
      ofOneRecord(-0.4),
      noFields(-0.5),
    ],
    accepts: [['Changes are kept', 'They are there when the page is opened again']],
    expected: [appears('saved')],
  },
  {
    class: 'edit',
    title: 'Edit {a thing}',
    description: 'A user changes an existing record: {fields}.',
    signals: [
      ofOneRecord(0.3),
      about(words.edit, 0.2),
      submit(words.save, 0.25),
      prefilled(0.15),
      method('post', 0.1),
      choices(0.05),
      kind('password', -0.4),
      submit(words.remove, -0.8),
      noFields(-0.6),
      field(words.feedback, -0.4),
      submit(words.addToCart, -0.6),
      when('a form that was opened by a click', -0.3, ({ page }) => page.opened.length > 0),
    ],
    accepts: [
      ['Changes are kept', 'The record shows them afterwards'],
      ['Bad data is refused', 'Each problem is named beside its field'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'create',
    title: 'Create {a thing}',
    description: 'A user adds a record, giving {fields}.',
    signals: [
      about(/\b(new|create|add|invite|neu\w*|anlegen|nouveau|nuevo)\b/i, 0.35),
      submit(words.create, 0.3),
      method('post', 0.1),
      empty(0.1),
      fewFields(30, 0.05),
      kind('password', -0.5),
      submit(words.addToCart, -0.8),
      submit(words.signUp, -0.5),
      field(words.feedback, -0.3),
      noFields(-0.6),
      about(/\b(edit|bearbeiten|modifier|editar)\b/i, -0.5),
      kind('file', -0.2),
    ],
    accepts: [
      ['A record can be added', 'It is there afterwards'],
      ['Missing or bad data is refused', 'Each problem is named beside its field'],
    ],
    expected: [urlChanges],
  },
  {
    class: 'delete',
    title: 'Delete {a thing}',
    description: 'A user takes a record away.',
    signals: [
      submit(words.remove, 0.65),
      action(/\b(delete|remove|destroy)\b/i, 0.25),
      noFields(0.1),
      method('post', 0.05),
      fewFields(30, -0.4),
    ],
    accepts: [['The record is gone afterwards', 'It is no longer listed']],
    expected: [{ kind: 'text-gone', value: '', basis: 'usual' }],
  },
  {
    class: 'wizard',
    title: '{heading}, step by step',
    description: 'A visitor fills in a form step by step: {fields}.',
    signals: [
      staged(0.5),
      submit(words.next, 0.2),
      about(words.apply, 0.15),
      when('steps that are not shown yet', 0.2, ({ hiddenParts }) => hiddenParts.length > 1),
      about(words.checkout, -0.5),
      method('get', -0.3),
    ],
    accepts: [
      ['It can be filled in and sent', 'A confirmation appears'],
      ['A step with missing data cannot be left', 'Each problem is named'],
    ],
    expected: [appears('')],
  },
  {
    class: 'calculator',
    title: 'Work out an estimate{: heading}',
    description: 'A visitor gives {fields} and gets a result on the same page.',
    signals: [
      submit(words.calculate, 0.35),
      about(words.calculate, 0.25),
      method('script', 0.15),
      kind('number', 0.1),
      when('a place for the result', 0.15, ({ page }) => page.setting.outputs > 0),
      kind('password', -0.6),
    ],
    accepts: [['The result follows what was given', 'It appears on the page']],
    expected: [appears('')],
  },
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

function hasChoices({ kinds }: FormFacts): boolean {
  return ['select', 'multi-select', 'checkbox', 'checkbox-group', 'radio-group', 'range', 'number'].some((name) =>
    kinds.has(name),
  );
}

function isLanguageChoice({ shown }: FormFacts): boolean {
  return shown.some(
    ({ options }) => options.length > 1 && options.every(({ label }) => words.language.test(label.trim())),
  );
}
