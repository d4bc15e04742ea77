import type { GoldUseCase } from '../app.ts';

/** Gold list: all use cases of a customer. */
export const gold: readonly GoldUseCase[] = [
  { title: 'Search for a product', class: 'search', entry: '*' },
  { title: 'Narrow the catalogue by kind, price and stock', class: 'filter', entry: '/products' },
  { title: 'Sort the catalogue', class: 'sort', entry: '/products' },
  { title: 'Page through the catalogue', class: 'pagination', entry: '/products' },
  { title: 'Look at a product', class: 'view', entry: '/products/:id' },
  { title: 'Put a product into the cart', class: 'add-to-cart', entry: '/products/:id' },
  { title: 'Review a product', class: 'feedback', entry: '/products/:id' },
  { title: 'Change quantities in the cart', class: 'cart', entry: '/cart' },
  { title: 'Take an article out of the cart', class: 'delete', entry: '/cart' },
  { title: 'Redeem a voucher', class: 'voucher', entry: '/cart' },
  { title: 'Check out in three steps', class: 'checkout', entry: '/checkout/delivery' },
  { title: 'Sign up for an account', class: 'sign-up', entry: '/account/sign-up' },
  { title: 'Log in', class: 'login', entry: '/account/login' },
  { title: 'Log out', class: 'logout', entry: '*' },
  { title: 'Ask for a new password', class: 'reset-password', entry: '/account/forgot' },
  { title: 'Look at the order history', class: 'view', entry: '/account/orders' },
  { title: 'Look at one order', class: 'view', entry: '/account/orders/:id' },
  { title: 'Change name and address', class: 'settings', entry: '/account/profile' },
  { title: 'Subscribe to the newsletter', class: 'newsletter', entry: '*' },
  { title: 'Write to the shop', class: 'contact', entry: '/contact' },
  { title: 'Find the way through the main menu', class: 'navigation', entry: '*' },
];
