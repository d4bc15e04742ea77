import type { GoldUseCase } from '../app.ts';

/** Gold list: all use cases of an administrator. */
export const gold: readonly GoldUseCase[] = [
  { title: 'Log in', class: 'login', entry: '/login' },
  { title: 'Log out', class: 'logout', entry: '*' },
  { title: 'See the key figures', class: 'dashboard', entry: '/' },
  { title: 'Search customers', class: 'search', entry: '/customers' },
  { title: 'Show customers of one status', class: 'filter', entry: '/customers' },
  { title: 'Sort customers by a column', class: 'sort', entry: '/customers' },
  { title: 'Page through the customers', class: 'pagination', entry: '/customers' },
  { title: 'Export customers as CSV', class: 'download', entry: '/customers' },
  { title: 'Look at a customer', class: 'view', entry: '/customers/:id' },
  { title: 'Create a customer', class: 'create', entry: '/customers/new' },
  { title: 'Edit a customer', class: 'edit', entry: '/customers/:id/edit' },
  { title: 'Delete a customer', class: 'delete', entry: '/customers/:id' },
  { title: 'Add a note to a customer', class: 'create', entry: '/customers/:id' },
  { title: 'Invite a user', class: 'create', entry: '/users/invite' },
  { title: 'Change the role of a user', class: 'edit', entry: '/users/:id' },
  { title: 'Import customers from a file', class: 'upload', entry: '/import' },
  { title: 'Change the settings of the company', class: 'settings', entry: '/settings' },
  { title: 'Change one’s own password', class: 'change-password', entry: '/password' },
  { title: 'Find the way through the main menu', class: 'navigation', entry: '*' },
];
