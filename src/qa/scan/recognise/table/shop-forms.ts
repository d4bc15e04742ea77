import { siteWords } from '../../words/site-words.ts';
import {
  type FormClassRule,
  fieldAbout,
  hasAutocomplete,
  hasFieldKind,
  pageAbout,
  sentTo,
  submitSays,
} from '../class-rules.ts';
import { hasFewFields, hasNoFields, isOneOfSeveralSteps, textAppears, urlChanges } from './form-signals.ts';

/** Forms of a shop. */
export const shopForms: readonly FormClassRule[] = [
  {
    class: 'add-to-cart',
    title: 'Put a product into the cart',
    description: 'A customer puts the product into the cart, choosing {fields}.',
    signals: [
      submitSays(siteWords.addToCart, 0.65),
      sentTo(siteWords.cart, 0.2),
      fieldAbout(siteWords.quantity, 0.15),
      submitSays(siteWords.remove, -0.8),
    ],
    acceptance: [['The product is put into the cart', 'The cart holds it in the chosen quantity']],
    expected: [textAppears('cart')],
  },
  {
    class: 'cart',
    title: 'Change quantities in the cart',
    description: 'A customer changes what is in the cart: {fields}.',
    signals: [
      pageAbout(siteWords.cart, 0.3),
      sentTo(siteWords.cart, 0.2),
      fieldAbout(siteWords.quantity, 0.3),
      submitSays(siteWords.save, 0.2),
      hasFieldKind('number', 0.1),
      fieldAbout(siteWords.voucher, -0.6),
      submitSays(siteWords.remove, -0.5),
      submitSays(siteWords.addToCart, -0.7),
      hasNoFields(-0.4),
    ],
    acceptance: [['Quantities can be changed', 'The total follows']],
    expected: [textAppears('updated')],
  },
  {
    class: 'voucher',
    title: 'Redeem a voucher',
    description: 'A customer redeems a code: {fields}.',
    signals: [
      fieldAbout(siteWords.voucher, 0.5),
      submitSays(siteWords.redeem, 0.2),
      sentTo(siteWords.voucher, 0.2),
      hasFewFields(1, 0.1),
      hasFieldKind('password', -0.6),
    ],
    acceptance: [
      ['A valid code lowers the price', 'The total shows it'],
      ['An invalid code is refused', 'A message says so'],
    ],
    expected: [textAppears('voucher')],
  },
  {
    class: 'checkout',
    title: 'Check out',
    description: 'A customer orders what is in the cart, giving {fields}.',
    signals: [
      pageAbout(siteWords.checkout, 0.35),
      isOneOfSeveralSteps(0.2),
      sentTo(siteWords.checkout, 0.1),
      pageAbout(siteWords.delivery, 0.15),
      hasAutocomplete('street-address', 0.15),
      hasAutocomplete('postal-code', 0.1),
      hasAutocomplete('cc-number', 0.4),
      submitSays(siteWords.checkout, 0.2),
      pageAbout(siteWords.settings, -0.4),
      hasFieldKind('password', -0.3),
    ],
    acceptance: [
      ['An order can be placed', 'A confirmation with its number appears'],
      ['Missing data is refused', 'Each problem is named next to its field'],
    ],
    expected: [urlChanges],
  },
];
