import { expect, test } from 'vitest';
import { createSiteTester, htmlPage, scriptFormField } from '../test-support.ts';

const siteOf = createSiteTester();

test('reports rejection when the form returns with an error and an empty password', async () => {
  const fields = [
    scriptFormField('email', 'Email'),
    scriptFormField('vat', 'VAT number'),
    scriptFormField('password', 'Password', { kind: 'password' }),
  ];
  const signUp = (complaint: string, email = '') => `${complaint}<form method="post"><label>Email <input name="email"
    required value="${email}"></label><label>VAT number <input name="vat" required></label><label>Password
    <input name="password" type="password" required></label><button>Sign up</button></form>`;
  let said = '<div class="error">Please correct the following: Password is too weak</div>';
  await using site = await siteOf(
    (_, method, body) => htmlPage('Sign up', method === 'POST' ? signUp(said, body.get('email') ?? '') : signUp('')),
    { path: '/sign-up', method: 'post', action: '/sign-up', fields, button: 'Sign up' },
  );
  expect((await site.write('happy')).failure).toMatchObject({ kind: 'site contradicts' });
  expect((await site.write('state:reload')).failure).toMatchObject({ kind: 'too weak' });
  said = '<p class="error-free">You are registered.</p>';
  expect((await site.write('happy')).failure).toBeUndefined();
});

test.each([
  ['an alert', `no.setAttribute('role', 'alert')`],
  ['a colour', `no.style.color = 'red'`],
  ['a dialog', 'alert(no.textContent)'],
])('reports not sent when a script blocks the form and says so by %s', async (_, how) => {
  const form = `<form id="f" method="post"><label>Start <input name="start" required></label><p id="no"></p>
    <button>Save</button></form><script>f.onsubmit = (event) => { event.preventDefault();
      no.textContent = 'Please choose a country.'; ${how}; };</script>`;
  await using site = await siteOf(() => htmlPage('Preferences', form), {
    ...{ path: '/save', method: 'post', action: '/save', fields: [scriptFormField('start', 'Start')], button: 'Save' },
  });
  const { failure } = await site.write('happy');
  expect(failure).toEqual({
    kind: 'not carried out',
    reason: 'Nothing was sent, and the page says "Please choose a country.".',
  });
  expect((await site.write('state:reload')).failure).toMatchObject({ kind: 'too weak' });
});

test('fills the scanned form when two forms share their wording', async () => {
  const form = (action: string, rest: string) =>
    `<form method="post" action="${action}"><label>Email <input name="email" required></label>${rest}<button>Go</button></form>`;
  const both = `<section>${form('/login', '<label>Password <input name="password" type="password" required></label>')}</section>
    <section>${form('/join', '<label>Nickname <input name="nick" required></label>')}</section>`;
  await using site = await siteOf(
    (path, method, body) =>
      method === 'POST' && path === '/join'
        ? htmlPage('Welcome', `<p>Joined as ${body.get('nick')}</p>`)
        : htmlPage('Members', both),
    {
      ...{ path: '/members', method: 'post', action: '/join', button: 'Go' },
      fields: [scriptFormField('email', 'Email'), scriptFormField('nick', 'Nickname')],
    },
  );
  const { failure, steps } = await site.write('happy');
  expect(failure).toBeUndefined();
  expect(steps).toContainEqual(expect.objectContaining({ do: 'expectRequest', path: '/join' }));
  const empty = await site.write('field:email:empty');
  expect(empty.failure).toBeUndefined();
  const refused = empty.steps.find((step) => step.do === 'expectInvalid');
  expect(JSON.stringify(refused)).toContain('section:nth-of-type(2)');
});

test('does not take an error about another field as a rejection of this one', async () => {
  let said = 'Check-out must be after check-in';
  const form = () => `<form id="f" method="post"><label>Check-in <input name="ci"></label><label>Check-out
    <input name="co"></label><label>Discount <input name="rate" aria-required="true"></label><p id="no" class="error"></p>
    <button>Book</button></form><script>f.onsubmit = (event) => { event.preventDefault();
      no.textContent = '${said}'; };</script>`;
  const fields = [
    scriptFormField('ci', 'Check-in'),
    scriptFormField('co', 'Check-out'),
    scriptFormField('rate', 'Discount'),
  ];
  await using site = await siteOf(() => htmlPage('Hotel', form()), {
    ...{ path: '/hotel', method: 'post', action: '/hotel', fields, button: 'Book' },
  });
  expect((await site.write('field:rate:empty')).failure).toMatchObject({
    kind: 'too weak',
    reason: 'The page shows an error, but not about rate: "Check-out must be after check-in".',
  });
  await using booking = await siteOf(() => htmlPage('Hotel', form()), {
    ...{ path: '/hotel', method: 'post', action: '/hotel', fields, button: 'Book', class: 'booking' },
  });
  // It could have more pages, and the first is sent only once all the same.
  expect((await booking.write('happy')).failure).toEqual({
    kind: 'not carried out',
    reason: 'Nothing was sent, and the page says "Check-out must be after check-in".',
  });
  said = 'A discount is needed for each stay after check-in';
  expect((await site.write('field:rate:empty')).failure).toBeUndefined();
});

test('chooses from a custom listbox whatever its current label is', async () => {
  const form = `<form id="f" method="post"><label id="l">Country</label><div role="combobox" tabindex="0" id="c"
    aria-labelledby="l" aria-expanded="false" aria-controls="o">Choose a country</div><ul role="listbox" id="o" hidden>
    <li role="option">Austria</li><li role="option">Chile</li></ul><input type="hidden" name="country" id="h"><label>Start
    <input name="start" required></label><p id="no" class="error"></p><button>Save</button></form><script>
    c.onclick = () => { o.hidden = !o.hidden; };
    o.onclick = ({ target }) => { h.value = c.textContent = target.textContent; o.hidden = true; };
    f.onsubmit = (event) => { if (!h.value) { event.preventDefault(); no.textContent = 'Please choose a country.'; } };</script>`;
  const options = ['Austria', 'Chile'].map((label) => ({ label, value: label, ladder: [] }));
  const country = scriptFormField('Country', 'Country', {
    ...{ kind: 'listbox', role: 'combobox', required: false, value: 'Choose a country', options },
  });
  await using site = await siteOf(
    (_, method, body) =>
      method === 'POST' ? htmlPage('Saved', `<p>Country: ${body.get('country')}</p>`) : htmlPage('Choose', form),
    {
      path: '/save',
      method: 'post',
      action: '/save',
      fields: [country, scriptFormField('start', 'Start')],
      button: 'Save',
    },
  );
  const { failure, steps } = await site.write('happy');
  expect(failure).toBeUndefined();
  expect(steps).toContainEqual({ do: 'expectText', text: 'Country: Austria', oracle: 'observed' });
});

test('takes a submit button disabled by invalid data as a rejection', async () => {
  let isOff = '!(f.checkValidity() && /^[0-9-]{12}$/.test(f.phone.value))';
  const form = () => `<form id="f"><label>Name <input name="name" required minlength="3"></label><label>Phone
    <input name="phone" aria-required="true"></label><button id="b" disabled>Place order</button></form><p id="m" role="status"></p>
    <script>f.oninput = () => { b.disabled = ${isOff}; };
    f.onsubmit = async (event) => { event.preventDefault(); await fetch('/api', { method: 'POST' });
      m.textContent = 'Placed for ' + f.elements.name.value; };</script>`;
  const fields = [
    scriptFormField('name', 'Name', { minLength: 3 }),
    scriptFormField('phone', 'Phone', { pattern: '[0-9]{3}-[0-9]{3}-[0-9]{4}' }),
  ];
  await using site = await siteOf((path) => (path === '/api' ? '{}' : htmlPage('Order', form())), {
    ...{ path: '/order', method: 'get', action: '/order', fields, button: 'Place order' },
  });
  expect((await site.write('happy')).failure).toBeUndefined();
  const empty = await site.write('field:name:empty');
  expect(empty.failure).toBeUndefined();
  const off = { do: 'expectDisabled', on: expect.objectContaining({ name: 'Place order' }), oracle: 'specified' };
  expect(empty.steps).toContainEqual(off);
  // The browser itself knows nothing of this one.
  const phone = await site.write('field:phone:empty');
  expect(phone.failure).toBeUndefined();
  expect(phone.steps).toContainEqual(off);
  expect(await site.fails(phone.steps)).toEqual([]);
  isOff = '!f.checkValidity()';
  expect(await site.fails(phone.steps)).toEqual(['“Place order” is disabled']);
});

test.each([
  [
    'a page that comes back empty',
    'post' as const,
    `<form method="post"><label>For <input name="owner" required></label><button>Add</button></form>`,
  ],
  [
    'a script that empties it',
    'get' as const,
    `<form id="f"><label>For <input name="owner" required></label><button>Add</button></form><p id="n" style="color: #b00020"></p>
     <script>f.onsubmit = async (event) => { event.preventDefault(); await fetch('/api', { method: 'POST' });
       n.textContent = 'Not paid: ' + f.owner.value; f.reset(); };</script>`,
  ],
])('does not take red text as a rejection when the form is empty again, by %s', async (_, method, form) => {
  await using site = await siteOf(
    (_path, how, body) =>
      htmlPage(
        'Invoices',
        how === 'POST' ? `${form}<p style="color: #b00020">Not paid: ${body.get('owner')}</p>` : form,
      ),
    { path: '/add', method, action: '/add', fields: [scriptFormField('owner', 'For')], button: 'Add' },
  );
  expect((await site.write('happy')).failure).toBeUndefined();
});

test('does not take the message of a local list as an error', async () => {
  const form = `<form id="f"><label>Task <input name="task" required></label><button>Add</button></form><p id="m" role="alert"></p>
    <script>f.onsubmit = (event) => { event.preventDefault(); m.textContent = 'Task is on your list.'; f.reset(); };</script>`;
  await using site = await siteOf(() => htmlPage('Tasks', form), {
    ...{ path: '/add', method: 'get', action: '/add', fields: [scriptFormField('task', 'Task')], button: 'Add' },
  });
  const { failure, steps } = await site.write('happy');
  expect(failure).toBeUndefined();
  expect(steps).toContainEqual({ do: 'expectText', text: 'Task is on your list.', oracle: 'observed' });
});

test('does not take a created record as an error about its missing value', async () => {
  const made: string[] = [];
  const form =
    () => `<form method="post" action="/add"><label>Owner <input name="owner" aria-required="true"></label><label>Rate
    <input name="rate" aria-required="true"></label><button>Add</button></form>${made.map((one, i) => `<p>No. ${i}: ${one}</p>`).join('')}`;
  await using site = await siteOf(
    (_, method, body) => {
      if (method === 'POST') made.push(body.get('owner') ?? '');
      return method === 'POST' ? { location: '/list' } : htmlPage('Rates', form());
    },
    {
      ...{ path: '/list', method: 'post', action: '/add', button: 'Add' },
      fields: [scriptFormField('owner', 'Title'), scriptFormField('rate', 'Rate')],
    },
  );
  expect((await site.write('field:rate:empty')).failure).toMatchObject({ kind: 'site contradicts' });
});

test('fills the visible one of two identical forms', async () => {
  const form = (id: string) => `<form class="${id}" method="post" action="/join"><input name="email" id="${id}"
    aria-label="${id} email" required><button>Join ${id}</button></form>`;
  const both = `<style>.small { display: none }</style>${form('small')}${form('large')}`;
  await using site = await siteOf((_, method) => htmlPage('Join', method === 'POST' ? '<p>You joined.</p>' : both), {
    ...{
      path: '/',
      method: 'post',
      action: '/join',
      fields: [scriptFormField('email', 'large email')],
      button: 'Join large',
    },
  });
  expect((await site.write('happy')).failure).toBeUndefined();
});

test.each([
  ['for another reason', 'true', 'not carried out'],
  ['only for a moment', '!f.elements.name.value', 'site contradicts'],
])('does not take a button disabled %s as a rejection', async (_, isOff, kind) => {
  const form = `<form id="f" method="post"><label>Name <input name="name" required></label><label>Phone <input name="phone"
    aria-required="true"></label><button id="b" disabled>Order</button></form><script>let later;
    f.oninput = () => { clearTimeout(later); later = setTimeout(() => { b.disabled = ${isOff}; }, 700); };</script>`;
  await using site = await siteOf((_path, method) => htmlPage('Order', method === 'POST' ? '<p>Ordered.</p>' : form), {
    ...{ path: '/order', method: 'post', action: '/order', button: 'Order' },
    fields: [scriptFormField('name', 'Name'), scriptFormField('phone', 'Phone')],
  });
  expect((await site.write('field:phone:empty')).failure).toMatchObject({ kind });
});
