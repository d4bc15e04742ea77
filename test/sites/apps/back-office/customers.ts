import { html, type Markup, verbatim } from '../../../../src/web/html.ts';
import { fields, isEmail, problem, redirect } from '../app.ts';
import type { Customer, Office, OfficeRoutes, OfficeSession } from './back-office.ts';
import { page } from './layout.ts';

const PER_PAGE = 10;
const columns = ['name', 'email', 'status'] as const;

/** Customer table and customer pages. Only administrators and editors may change anything. */
export function customerRoutes(office: Office): OfficeRoutes {
  const find = (id: string | undefined) => office.customers.get(Number(id));
  return {
    'GET /customers': ({ session, query }) => listPage(office, session, query),
    'GET /customers.csv': () => ({
      type: 'text/csv',
      headers: { 'content-disposition': 'attachment; filename="customers.csv"' },
      body: [
        'name,email,phone,status',
        ...office.customers.values().map(({ name, email, phone, status }) => [name, email, phone, status].join(',')),
      ].join('\n'),
    }),
    'GET /customers/new': ({ session }) =>
      editPage(session, 'New customer', '/customers', 'Create customer', {}, new Map()),
    'POST /customers': ({ session, form }) => {
      const errors = check(office, form);
      if (errors.size > 0)
        return editPage(session, 'New customer', '/customers', 'Create customer', Object.fromEntries(form), errors);
      const id = office.newId();
      office.customers.set(id, { ...fromForm(form, office), id, notes: [] });
      session.flash = 'The customer was created.';
      return redirect(`/customers/${id}`);
    },
    'GET /customers/:id': ({ session, params }) => {
      const customer = find(params['id']);
      return customer ? onePage(session, customer) : { status: 404, body: 'No such customer' };
    },
    'GET /customers/:id/edit': ({ session, params }) => {
      const customer = find(params['id']);
      if (!customer) return { status: 404, body: 'No such customer' };
      const { id, name, email, phone, status } = customer;
      return editPage(
        session,
        'Edit customer',
        `/customers/${id}`,
        'Save changes',
        { name, email, phone, status },
        new Map(),
      );
    },
    'POST /customers/:id': ({ session, params, form }) => {
      const customer = find(params['id']);
      if (!customer) return { status: 404, body: 'No such customer' };
      const errors = check(office, form);
      if (errors.size > 0)
        return editPage(
          session,
          'Edit customer',
          `/customers/${customer.id}`,
          'Save changes',
          Object.fromEntries(form),
          errors,
        );
      if (!office.has('edit-not-saved')) Object.assign(customer, fromForm(form));
      session.flash = 'Your changes were saved.';
      return redirect(`/customers/${customer.id}`);
    },
    'POST /customers/:id/delete': ({ session, params }) => {
      if (!office.has('delete-does-nothing')) office.customers.delete(Number(params['id']));
      session.flash = 'The customer was deleted.';
      return redirect('/customers');
    },
    'POST /customers/:id/notes': ({ session, params, form }) => {
      find(params['id'])?.notes.push(form.get('note') ?? '');
      session.flash = 'The note was added.';
      return redirect(`/customers/${params['id']}`);
    },
  };
}

function fromForm(form: Map<string, string>, office?: Office): Omit<Customer, 'id' | 'notes'> {
  const status = form.get('status');
  return {
    name: form.get('name') ?? '',
    email: form.get('email') ?? '',
    phone: office?.has('create-loses-phone') ? '' : (form.get('phone') ?? ''),
    status: status === 'active' || status === 'inactive' ? status : 'lead',
  };
}

function check(office: Office, form: Map<string, string>): Map<string, string> {
  const errors = new Map<string, string>();
  if (!form.get('name')) errors.set('name', 'A name is needed.');
  if (!office.has('bad-email-accepted') && !isEmail(form.get('email') ?? ''))
    errors.set('email', 'This is no email address.');
  return errors;
}

function listPage(office: Office, session: OfficeSession, query: URLSearchParams): Markup {
  const q = (query.get('q') ?? '').toLowerCase();
  const status = query.get('status') ?? '';
  const sort = columns.find((column) => column === query.get('sort')) ?? 'name';
  const direction = query.get('dir') === 'desc' ? -1 : 1;
  const by = sort === 'name' && query.has('sort') && office.has('sort-by-name-wrong') ? 'email' : sort;
  const chosen = [...office.customers.values()]
    .filter(
      ({ name, email }) => !q || (!office.has('search-finds-nothing') && `${name} ${email}`.toLowerCase().includes(q)),
    )
    .filter((customer) => !status || customer.status === status)
    .toSorted((a, b) => direction * a[by].localeCompare(b[by]) || a.id - b.id);
  const number = Math.max(1, Number(query.get('page') ?? 1));
  const start = office.has('pages-repeat') ? 0 : (number - 1) * PER_PAGE;
  const shown = chosen.slice(start, start + PER_PAGE);
  const to = (changes: Record<string, string>) =>
    `/customers?${new URLSearchParams({ ...Object.fromEntries(query), ...changes })}`;
  const last = Math.max(1, Math.ceil(chosen.length / PER_PAGE));
  const heads = columns.map(
    (column) =>
      html`<th scope="col"${query.get('sort') === column && verbatim(` aria-sort="${direction === 1 ? 'ascending' : 'descending'}"`)}><a href="${to({ sort: column, dir: sort === column && direction === 1 ? 'desc' : 'asc' })}">${column}</a></th>`,
  );
  return page(
    session,
    '/customers',
    'Customers',
    html`<div class="bar"><form class="bar"><input name="q" aria-label="Search customers" value="${q}"> <select name="status" aria-label="Status"><option value="">All</option>${['active', 'inactive', 'lead'].map((name) => html`<option${status === name && verbatim(' selected')}>${name}</option>`)}</select> <button class="btn">Go</button></form><a class="btn" href="/customers/new">New customer</a><a href="/customers.csv" download>Export CSV</a></div>
<p role="status">${chosen.length} customers</p><table><thead><tr>${heads}<th></th></tr></thead><tbody>${shown.map(
      ({ id, name, email, status: is }) =>
        html`<tr><td><a href="/customers/${id}">${name}</a></td><td>${email}</td><td>${is}</td><td><a href="/customers/${id}/edit" class="icon" aria-label="Edit ${name}">✎</a></td></tr>`,
    )}</tbody></table>
<div class="bar pager">${number > 1 && html`<a href="${to({ page: String(number - 1) })}" rel="prev">‹</a>`}<span>Page ${number} of ${last}</span>${number < last && html`<a href="${to({ page: String(number + 1) })}" rel="next">›</a>`}</div>`,
  );
}

/** A script creates the note form on demand. */
function onePage(session: OfficeSession, { id, name, email, phone, status, notes }: Customer): Markup {
  const mayChange = session.user?.role !== 'viewer';
  return page(
    session,
    '/customers',
    name,
    html`<dl><dt>Email</dt><dd>${email}</dd><dt>Phone</dt><dd>${phone}</dd><dt>Status</dt><dd>${status}</dd></dl><h2>Notes</h2><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>
${
  mayChange &&
  html`<div class="bar"><a class="btn" href="/customers/${id}/edit">Edit</a><button type="button" class="btn" data-open aria-haspopup="dialog">Add note</button><form method="post" action="/customers/${id}/delete" onsubmit="return confirm('Really delete?')"><button class="btn danger">Delete</button></form></div>
<dialog data-notes aria-label="Add a note"></dialog><script>
document.querySelector('[data-open]').addEventListener('click', () => {
  const dialog = document.querySelector('[data-notes]');
  dialog.innerHTML = '<form method="post" action="/customers/${id}/notes"><label>Note <textarea name="note" required maxlength="300"></textarea></label> <button class="btn">Save note</button> <button type="button" data-close>Cancel</button></form>';
  dialog.querySelector('[data-close]').addEventListener('click', () => dialog.close());
  dialog.showModal();
});</script>`
}`,
  );
}

function editPage(
  session: OfficeSession,
  title: string,
  action: string,
  verb: string,
  values: Record<string, string>,
  errors: Map<string, string>,
): Markup {
  return page(
    session,
    '/customers',
    title,
    html`<form method="post" action="${action}">${fields(
      html`<div class="row"><label for="f1">Full name</label><input id="f1" name="name" required maxlength="60" value="${values['name'] ?? ''}">${problem(errors, 'name')}</div>`,
      html`<div class="row"><label for="f2">Email</label><input id="f2" type="email" name="email" required value="${values['email'] ?? ''}">${problem(errors, 'email')}</div>`,
      html`<div class="row"><span>Phone</span><input name="phone" type="tel" placeholder="+44 …" value="${values['phone'] ?? ''}"></div>`,
      html`<div class="row"><label for="f4">Status</label><select id="f4" name="status">${['lead', 'active', 'inactive'].map((name) => html`<option${values['status'] === name && verbatim(' selected')}>${name}</option>`)}</select></div>`,
    )}<button class="btn">${verb}</button> <a href="/customers">Cancel</a></form>`,
  );
}
