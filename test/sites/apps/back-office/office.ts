import { html, type Markup, verbatim } from '../../../../src/web/html.ts';
import { fields, isEmail, problem, redirect } from '../app.ts';
import type { Office, OfficeRoutes, OfficeSession, OfficeUser } from './back-office.ts';
import { loginPage, page } from './layout.ts';

const roles = ['admin', 'editor', 'viewer'] as const;

/** Login, dashboard, users and roles, import, settings. */
export function officeRoutes(office: Office): OfficeRoutes {
  return {
    'GET /login': ({ session }) => (session.user ? redirect('/') : loginPage()),
    'POST /login': ({ session, form }) => {
      session.user = [...office.users.values()].find(
        ({ user, password }) => user === form.get('user') && password === form.get('pass'),
      );
      return session.user ? redirect('/') : loginPage('Unknown user or wrong password.');
    },
    // Logout is a plain link, a trap for careless crawlers.
    'GET /logout': ({ session }) => {
      session.user = undefined;
      return redirect('/login');
    },
    'GET /': ({ session }) => page(session, '/', 'Dashboard', figures()),
    'GET /api/figures': () => ({
      type: 'application/json',
      body: JSON.stringify({ customers: office.customers.size, users: office.users.size }),
    }),
    'GET /users': ({ session }) =>
      page(
        session,
        '/users',
        'Users',
        html`<p><a class="btn" href="/users/invite">Invite user</a></p><table><thead><tr><th>Name</th><th>Role</th></tr></thead><tbody>${office.users
          .values()
          .map(({ id, name, role }) => html`<tr><td><a href="/users/${id}">${name}</a></td><td>${role}</td></tr>`)
          .toArray()}</tbody></table>`,
      ),
    'GET /users/invite': ({ session }) => invitePage(session, new Map(), new Map()),
    'POST /users/invite': ({ session, form }) => {
      const errors = new Map<string, string>();
      if (!isEmail(form.get('email') ?? '')) errors.set('email', 'This is no email address.');
      if (errors.size > 0) return invitePage(session, form, errors);
      const id = office.users.size + 1;
      const email = form.get('email') ?? '';
      office.users.set(id, { id, user: email, password: '', name: email, role: roleOf(form.get('role')) });
      session.flash = `An invitation was sent to ${email}.`;
      return redirect('/users');
    },
    'GET /users/:id': ({ session, params }) => {
      const user = office.users.get(Number(params['id']));
      return user ? page(session, '/users', user.name, userForm(user)) : { status: 404, body: 'No such user' };
    },
    'POST /users/:id': ({ session, params, form }) => {
      const user = office.users.get(Number(params['id']));
      if (user && !office.has('role-not-changed')) user.role = roleOf(form.get('role'));
      session.flash = 'The role was changed.';
      return redirect('/users');
    },
    'GET /import': ({ session }) => page(session, '/import', 'Import', importForm()),
    'POST /import': ({ session, files }) => {
      const file = files.get('file');
      if (!file?.name.endsWith('.csv') || office.has('import-refuses-csv'))
        return page(session, '/import', 'Import', importForm('Choose a CSV file.'));
      const lines = file.text.split('\n').slice(1).filter(Boolean);
      for (const line of lines) {
        const [name = '', email = '', phone = ''] = line.split(',');
        const id = office.newId();
        office.customers.set(id, { id, name, email, phone, status: 'lead', notes: [] });
      }
      session.flash = `${lines.length} customers were imported.`;
      return redirect('/customers');
    },
    'GET /settings': ({ session }) => page(session, '/settings', 'Settings', settingsForm(office)),
    'POST /settings': ({ session, form }) => {
      if (!office.has('settings-not-saved'))
        for (const name of ['company', 'zone', 'digest']) office.settings.set(name, form.get(name) ?? '');
      session.flash = 'The settings were saved.';
      return redirect('/settings');
    },
    'GET /password': ({ session }) => page(session, '/password', 'Change password', passwordForm()),
    'POST /password': ({ session, form }) => {
      if (form.get('old') !== session.user?.password)
        return page(session, '/password', 'Change password', passwordForm('The old password is wrong.'));
      if (session.user) session.user.password = form.get('new') ?? '';
      session.flash = 'Your password was changed.';
      return redirect('/');
    },
  };
}

function roleOf(text: string | undefined): OfficeUser['role'] {
  return roles.find((role) => role === text) ?? 'viewer';
}

/** A script loads the numbers later. */
function figures(): Markup {
  return html`<section aria-label="Key figures" class="cards" data-figures><p>Loading…</p></section><script>
fetch('/api/figures').then((answer) => answer.json()).then((figures) => {
  document.querySelector('[data-figures]').innerHTML = Object.entries(figures).map(([name, number]) => '<div class="card"><h2>' + name + '</h2><p>' + number + '</p></div>').join('');
});</script>`;
}

function roleSelect(role: string): Markup {
  return html`<select id="role" name="role">${roles.map((name) => html`<option${role === name && verbatim(' selected')}>${name}</option>`)}</select>`;
}

function invitePage(session: OfficeSession, form: Map<string, string>, errors: Map<string, string>): Markup {
  return page(
    session,
    '/users',
    'Invite user',
    html`<form method="post" action="/users/invite">${fields(
      html`<div class="row"><label for="mail">Email</label><input id="mail" type="email" name="email" required value="${form.get('email') ?? ''}">${problem(errors, 'email')}</div>`,
      html`<div class="row"><label for="role">Role</label>${roleSelect('viewer')}</div>`,
    )}<button class="btn">Send invitation</button></form>`,
  );
}

function userForm({ id, role, user }: OfficeUser): Markup {
  return html`<p>${user}</p><form method="post" action="/users/${id}"><div class="row"><label for="role">Role</label>${roleSelect(role)}</div><button class="btn">Save changes</button></form>`;
}

function importForm(error?: string): Markup {
  return html`<p>A CSV file with the columns name, email and phone.</p><form method="post" action="/import" enctype="multipart/form-data">${error !== undefined && html`<p class="error" role="alert">${error}</p>`}<div class="row"><label for="file">File</label><input id="file" type="file" name="file" accept=".csv" required></div><button class="btn">Upload</button></form>`;
}

function settingsForm({ settings }: Office): Markup {
  const zone = settings.get('zone');
  return html`<form method="post" action="/settings">${fields(
    html`<div class="row"><label for="company">Company name</label><input id="company" name="company" required value="${settings.get('company') ?? ''}"></div>`,
    html`<div class="row"><label for="zone">Time zone</label><select id="zone" name="zone">${['Europe/London', 'Europe/Berlin', 'America/New_York'].map((name) => html`<option${zone === name && verbatim(' selected')}>${name}</option>`)}</select></div>`,
    html`<div class="row"><label><input type="checkbox" name="digest" value="yes"${settings.get('digest') === 'yes' && verbatim(' checked')}> Weekly digest by mail</label></div>`,
  )}<button class="btn">Save settings</button></form>`;
}

function passwordForm(error?: string): Markup {
  return html`<form method="post" action="/password">${error !== undefined && html`<p class="error" role="alert">${error}</p>`}${fields(
    html`<div class="row"><label for="old">Current password</label><input id="old" type="password" name="old" autocomplete="current-password" required></div>`,
    html`<div class="row"><label for="new">New password</label><input id="new" type="password" name="new" autocomplete="new-password" minlength="8" required></div>`,
  )}<button class="btn">Change password</button></form>`;
}
