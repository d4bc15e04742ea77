import { describe, expect, test } from 'vitest';
import { createSiteTester, htmlPage, scriptFormField } from '../test-support.ts';

const siteOf = createSiteTester();

describe('a form whose action contains an id', () => {
  let checks = true;
  const edit = () => `<form id="e" method="post" action="/items/1/"><label>Name <input name="name" required></label>
    <button>Save</button></form>${
      checks
        ? ''
        : `<script>e.noValidate = true; e.onsubmit = (event) => { event.preventDefault();
      fetch('/items/1/', { method: 'POST', body: new URLSearchParams(new FormData(e)) }); }</script>`
    }`;
  const item = `<p role="status">Changes saved.</p><form method="post" action="/items/1/comments">
    <label>Comment <textarea name="comment" required></textarea></label><button>Add</button></form>`;
  const site = () =>
    siteOf(
      (path, method) =>
        method === 'POST'
          ? { location: '/items/1' }
          : path === '/items/1/edit'
            ? htmlPage('Edit', edit())
            : htmlPage('Lamp', item),
      {
        path: '/items/1/edit',
        method: 'post',
        action: '/items/:id',
        fields: [scriptFormField('name', 'Name')],
        button: 'Save',
      },
    );

  test('is judged by its own request, not by a form on the next page', async () => {
    checks = true;
    await using lamp = await site();
    const written = await lamp.write('happy');
    expect(written.failure).toBeUndefined();
    expect(written.steps).toContainEqual(
      expect.objectContaining({ do: 'expectRequest', method: 'POST', path: '/items/*/' }),
    );
  });

  test('fails if it is sent although it must not be', async () => {
    checks = true;
    await using lamp = await site();
    const { steps, failure } = await lamp.write('field:name:empty');
    expect(failure).toBeUndefined();
    checks = false;
    expect(await lamp.fails(steps)).toContain('POST /items/*/ was not sent');
  });
});

describe('a form that returns with the entered values', () => {
  const fields = [scriptFormField('owner', 'Owner'), scriptFormField('serial', 'Serial number')];
  const registering = (complaint: string) =>
    siteOf(
      (_, method, body) =>
        htmlPage(
          'Register',
          `${method === 'POST' ? complaint : ''}<form method="post"><label>Owner <input name="owner" required
          value="${body.get('owner') ?? ''}"></label><label>Serial number <input name="serial" required
          value="${body.get('serial') ?? ''}"></label><button>Register</button></form>`,
        ),
      { path: '/register', method: 'post', action: '/register', fields, button: 'Register' },
    );

  test.each([
    ['by a class', '<p class="form-error">This is wrong.</p>'],
    ['by its colour', '<p style="color: #c00">This is wrong.</p>'],
    ['by the name of a field', '<p>The serial number must have eight digits.</p>'],
  ])('is rejected when the page says so %s', async (_, complaint) => {
    await using site = await registering(complaint);
    expect((await site.write('happy')).failure).toMatchObject({ kind: 'site contradicts' });
    expect((await site.write('state:reload')).failure).toMatchObject({ kind: 'too weak' });
  });

  test('is unknown with a neutral message and accepted with a success message', async () => {
    await using unclear = await registering('<p>Please look at this once more.</p>');
    expect((await unclear.write('happy')).failure).toMatchObject({ kind: 'too weak' });
    await using clear = await registering('<p>Your device was registered.</p>');
    expect((await clear.write('happy')).failure).toBeUndefined();
  });
});

describe('pages with components and frames', () => {
  const inner = `<form><p><label for="n">Full name</label><input id="n" name="n" required></p><button>Subscribe</button></form>
    <p id="out" role="status"></p>`;
  const component = (mode: string) => `<my-form></my-form><script>
    customElements.define('my-form', class extends HTMLElement { connectedCallback() {
      const root = this.attachShadow({ mode: '${mode}' });
      root.innerHTML = ${JSON.stringify(inner)};
      root.querySelector('form').onsubmit = async (event) => { event.preventDefault();
        await fetch('/api', { method: 'POST' });
        root.getElementById('out').textContent = 'Subscribed: ' + root.getElementById('n').value; };
    } });</script>`;
  const fields = [scriptFormField('n', 'Full name')];

  test('judges a form in a component by the text of the component', async () => {
    await using site = await siteOf((path) => (path === '/api' ? '' : htmlPage('Subscribe', component('open'))), {
      ...{ path: '/subscribe', method: 'get', action: '/subscribe', fields, button: 'Subscribe' },
    });
    const empty = await site.write('field:n:empty');
    expect(empty.failure).toBeUndefined();
    expect(empty.steps).toContainEqual(expect.objectContaining({ do: 'expectInvalid', flag: 'valueMissing' }));
    const happy = await site.write('happy');
    expect(happy.failure).toBeUndefined();
    expect(happy.steps).toContainEqual(
      expect.objectContaining({ do: 'expectText', text: expect.stringContaining('Subscribed: '), inParts: true }),
    );
    expect(await site.fails(happy.steps)).toEqual([]);
  });

  test('judges a form in a frame by the text of the frame', async () => {
    const form = `<!doctype html><title>i</title><form method="post" action="/inner"><label>Name <input name="name" required>
      </label><button>Send</button></form>`;
    await using site = await siteOf(
      (path, method, body) => {
        if (path !== '/inner') return htmlPage('Framed', '<iframe src="/inner" title="Form"></iframe>');
        return method === 'POST' ? `<!doctype html><title>i</title><p>Received, ${body.get('name')}</p>` : form;
      },
      {
        ...{
          path: '/framed',
          method: 'post',
          action: '/inner',
          fields: [scriptFormField('name', 'Name')],
          button: 'Send',
        },
        frame: ['iframe'],
      },
    );
    expect((await site.write('field:name:empty')).failure).toBeUndefined();
    const happy = await site.write('happy');
    expect(happy.failure).toBeUndefined();
    expect(happy.steps).toContainEqual(
      expect.objectContaining({ do: 'expectText', text: expect.stringContaining('Received, '), inParts: true }),
    );
  });
});

describe('a form sent by script', () => {
  const fields = [scriptFormField('name', 'Your name'), scriptFormField('email', 'Email', { kind: 'email' })];
  const contact = (checks: string) =>
    htmlPage(
      'Contact',
      `<form id="f" novalidate><label>Your name <input name="name" required></label><p id="no"></p>
      <label>Email <input name="email" type="email" required></label><button>Send</button></form><script>
      f.onsubmit = async (event) => { event.preventDefault(); no.textContent = '';
        ${checks}
        await fetch('/api/messages', { method: 'POST', body: '{}' });
        no.textContent = 'We got your message.'; };</script>`,
    );
  const checking = `if (!f.elements.name.value) no.textContent = 'Please tell us your name';
    else if (!f.email.value.includes('@')) no.textContent = 'That is no email address';
    if (no.textContent) return;`;

  test('sends no write request for rejected data and says why', async () => {
    let checks = checking;
    await using site = await siteOf((path) => (path.startsWith('/api') ? '{}' : contact(checks)), {
      ...{ path: '/contact', method: 'get', action: '/contact', fields, button: 'Send' },
    });
    const { steps, failure, mutants } = await site.write('field:email:wrong-type');
    expect(failure).toBeUndefined();
    expect(steps).toContainEqual(expect.objectContaining({ do: 'expectText', text: 'That is no email address' }));
    expect(mutants.flatMap(({ unnoticedBy }) => unnoticedBy)).not.toContain('No write request was sent');
    checks = checks.replace("!f.email.value.includes('@')", 'false');
    expect(await site.fails(steps)).toContain('No write request was sent');
  });

  test('is tested for checks made by script alone', async () => {
    const feedback = `<form id="f"><label>Topic <input name="topic" aria-required="true"></label><p id="no"></p>
      <button>Send</button></form><script>f.onsubmit = (event) => { event.preventDefault();
        no.textContent = f.topic.value ? '' : 'A topic is needed';
        if (f.topic.value) f.outerHTML = '<p>Thank you.</p>'; };</script>`;
    await using site = await siteOf(() => htmlPage('Feedback', feedback), {
      ...{
        path: '/feedback',
        method: 'get',
        action: '/feedback',
        fields: [scriptFormField('topic', 'Topic')],
        button: 'Send',
      },
    });
    const { failure, steps } = await site.write('field:topic:empty');
    expect(failure).toBeUndefined();
    expect(steps).toContainEqual(expect.objectContaining({ do: 'expectText', text: 'A topic is needed' }));
  });

  test('may report success and errors in a dialog', async () => {
    let says = 'Booked for Test';
    const booking =
      () => `<form id="f" novalidate><label>Guest <input name="guest" required></label><button>Book</button></form>
      <script>f.onsubmit = (event) => { event.preventDefault();
        if (f.guest.value) f.reset(); else return alert('Please say who is coming'); alert('${says}'); };</script>`;
    await using site = await siteOf(() => htmlPage('Booking', booking()), {
      ...{ path: '/book', method: 'get', action: '/book', fields: [scriptFormField('guest', 'Guest')], button: 'Book' },
    });
    const happy = await site.write('happy');
    expect(happy.failure).toBeUndefined();
    expect(happy.steps).toContainEqual({ do: 'expectDialog', text: 'Booked for Test', oracle: 'observed' });
    const empty = await site.write('field:guest:empty');
    expect(empty.failure).toBeUndefined();
    expect(empty.steps).toContainEqual({ do: 'expectDialog', text: 'Please say who is coming', oracle: 'observed' });
    says = 'No room left';
    expect(await site.fails(happy.steps)).toContain('A dialog says “Booked for Test”');
  });

  test('may report its outcome with a delay', async () => {
    const settings = `<form id="f"><label>Display name <input name="display" required></label><button>Save</button></form>
      <p id="toast" role="status"></p><script>f.onsubmit = (event) => { event.preventDefault();
        setTimeout(() => { toast.textContent = 'Settings saved for ' + f.display.value; }, 350); };</script>`;
    await using site = await siteOf(() => htmlPage('Settings', settings), {
      ...{
        path: '/save',
        method: 'get',
        action: '/save',
        fields: [scriptFormField('display', 'Display name')],
        button: 'Save',
      },
    });
    const { failure, steps } = await site.write('happy');
    expect(failure).toBeUndefined();
    expect(steps).toContainEqual(
      expect.objectContaining({ do: 'expectText', text: expect.stringContaining('Settings saved for ') }),
    );
  });
});

test('expects the value of a script-formatted field only if both runs agree', async () => {
  const masked = (others: RegExp) => `<form method="post"><label>Card number <input name="card" id="card" required
    inputmode="numeric" maxlength="19"></label><button>Save</button></form><script>card.oninput = () => {
      card.value = card.value.replace(${others}g, '').slice(0, 16).replace(/(....)(?=.)/g, '$1 '); };</script>`;
  let form = masked(/\D/);
  const fields = [scriptFormField('card', 'Card number', { maxLength: 19, inputMode: 'numeric' })];
  await using site = await siteOf(() => htmlPage('Card', form), {
    ...{ path: '/card', method: 'post', action: '/card', button: 'Save', fields },
  });
  const { failure, steps } = await site.write('field:card:above-max-length');
  expect(failure).toBeUndefined();
  expect(steps.at(-1)).toMatchObject({ do: 'expectValue', value: '4242 4242 4242 4242', oracle: 'observed' });
  form = masked(/\d/).replace('.slice(0, 16)', '+ Math.random().toString().slice(2, 8)');
  expect((await site.write('field:card:above-max-length')).failure).toMatchObject({ kind: 'too weak' });
});
