import { about, action, type FormClass, field, hint, kind, submit } from '../model.ts';
import { words } from '../words.ts';
import { appears, fewFields, noFields, staged, urlChanges } from './signals.ts';

/** What is bought, and how. */
export const shopForms: readonly FormClass[] = [
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
];
