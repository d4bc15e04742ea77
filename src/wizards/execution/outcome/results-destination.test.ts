import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { markAsMaybeSent, runError } from '../run/run-error.ts';
import { type TestResponse, testForms, wizardFormField } from '../test-support.ts';

const { run } = testForms();

const input = (id: string, more = '') =>
  `<p><label for="${id}">${id}</label><input id="${id}" name="${id}" ${more}></p>`;
const form = (content: string, button = '<button>Send</button>', more = '') =>
  `<h1>Form</h1><form ${more}>${content}${button}</form>`;
const done = '<h1>Done</h1><dl><dt>Grant</dt><dd>$42</dd></dl>';
const results = { grant: { label: 'Grant', type: 'money' } };
const byPosition = { grant: { locator: '#g', type: 'money' } };
const button = { text: 'Send', selector: 'role=button[name="Send"]' };
const fields = [wizardFormField('a')];
/** Serves the form, and a given page after a submission. */
const answering =
  (then: TestResponse, page = form(input('a'))) =>
  (_: string, sent: URLSearchParams) =>
    sent.size > 0 ? then : page;
const sentBy = (then: TestResponse) => ({ site: answering(then), fields });
const scripted = (script: string) =>
  `${form(input('a'), '<button type="button" onclick="go()">Send</button>')}<div id="r"></div><script>${script}</script>`;
const later = (ms: number, answer: TestResponse) =>
  new Promise<TestResponse>((resolve) => setTimeout(resolve, ms, answer));

describe.concurrent('named results are read when the page has settled:', () => {
  test.each<[string, (path: string) => TestResponse | Promise<TestResponse>]>([
    [
      'a number that counts up is read at its end',
      () => `<h1>Done</h1><dl><dt>Grant</dt><dd id="g">$0</dd></dl><script>
        const begun = performance.now();
        (function step() {
          const share = Math.min(1, (performance.now() - begun) / 400);
          g.textContent = '$' + Math.round(19514 * share);
          if (share < 1) requestAnimationFrame(step);
        })();
      </script>`,
    ],
    [
      'one that stands for another until the site answers is not taken for it',
      (path) =>
        path === '/api'
          ? later(400, '19514')
          : `<h1>Done</h1><dl><dt>Grant</dt><dd id="g">$5</dd></dl><script>
              fetch('/api').then((answer) => answer.text()).then((text) => { g.textContent = '$' + text.match(/\\d{5}/); });
            </script>`,
    ],
    [
      'neither is a zero that a timer replaces',
      () => `<h1>Done</h1><dl><dt>Grant</dt><dd id="g">$0</dd></dl>
        <script>setTimeout(() => { g.textContent = '$19,514'; }, 300)</script>`,
    ],
  ])('%s', async (_, page) => {
    const site = (path: string, sent: URLSearchParams) =>
      sent.size > 0 || path !== '/' ? page(path) : form(input('a'));
    const { done: execution, failure } = await run({ site, fields, wizard: { results } }, { a: 'x' });
    expect(failure).toBeUndefined();
    expect(execution?.results).toEqual({ grant: '19514' });
  });

  test('values shown before the site rejects the request are no success', async () => {
    const page = scripted(`async function go() {
      r.innerHTML = '<dl><dt>Grant</dt><dd>$42</dd></dl>';
      const answer = await fetch('/api', { method: 'POST', body: a.value });
      if (!answer.ok) r.innerHTML += '<div role="alert">Your answers were refused.</div>';
    }`);
    const site = (path: string) => (path === '/api' ? later(400, { status: 422, body: '' }) : page);
    const { failure } = await run({ site, fields, wizard: { results } }, { a: 'x' });
    expect(failure?.details['validation_errors']).toMatchObject([{ message: 'Your answers were refused.' }]);
  });

  test.each<[string, TestResponse]>([
    ['HTTP status 500', { status: 500, body: '' }],
    [
      'with the error "Too old"',
      { body: '{"errors":{"age":"Too old"}}', headers: { 'content-type': 'application/json' } },
    ],
  ])('values shown despite a rejected request are no success: %s', async (reason, answer) => {
    const page = scripted(`function go() {
      r.innerHTML = '<dl><dt>Grant</dt><dd>$42</dd></dl>';
      fetch('/api', { method: 'POST', body: a.value });
    }`);
    const site = (path: string): TestResponse => (path === '/api' ? answer : page);
    const { failure } = await run({ site, fields, wizard: { results } }, { a: 'x' });
    expect(failure).toMatchObject({ code: 'navigation_failed', message: expect.stringContaining(reason) });
  });

  test('a calculation beside an unsent form is no success', async () => {
    const refusing = `onsubmit="event.preventDefault(); m.textContent = 'Please accept the terms first'"`;
    const page = `${form(input('a'), undefined, refusing)}<p id="m"></p><dl><dt>Grant</dt><dd id="g">$0</dd></dl>
      <script>a.form.addEventListener('submit', () => { g.textContent = '$' + a.value; })</script>`;
    const { failure, requests } = await run({ site: () => page, fields, wizard: { results } }, { a: '7' });
    expect(failure).toMatchObject({ code: 'navigation_failed', message: expect.stringContaining('accept the terms') });
    expect(failure?.details['recommendation']).not.toContain('may have been submitted');
    expect(requests).toEqual(['/']);
  });
});

describe.concurrent('values do not count as results', () => {
  test.each<[string, TestResponse, object]>([
    ['that are not drawn', '<dl style="display:none"><dt>Grant</dt><dd>$1</dd></dl>', results],
    [
      'that are not drawn, by their place',
      '<dl style="display:none"><dt>Grant</dt><dd id="g">$1</dd></dl>',
      byPosition,
    ],
    ['that are transparent', '<dl><dt>Grant</dt><dd><b style="opacity:0">$1</b></dd></dl>', results],
    ['that are transparent, by their place', '<dl style="opacity:0"><dt>Grant</dt><dd id="g">$1</dd></dl>', byPosition],
    [
      'beside a complaint that names them',
      '<div role="alert">The grant could not be calculated.</div><dl><dt>Grant</dt><dd>$0</dd></dl>',
      results,
    ],
    ['on a page that is called a failure', done.replace('Done', 'Sorry, something went wrong'), results],
    ['of an example', done.replace('Done', 'Your session has expired'), results],
    ['beside a complaint in plain words', `<p>Please correct the date, and send it again.</p>${done}`, results],
    ['beside the form, empty again', form(input('a')) + done.replace('Done', 'Example'), results],
    ['before another step', `${done}<form><button>Send</button></form>`, results],
  ])('%s', async (_, then, named) => {
    const { done: execution, failure } = await run({ ...sentBy(then), wizard: { results: named } }, { a: 'x' });
    expect(execution).toBeUndefined();
    expect(failure?.code).toMatch(/^(navigation_failed|validation_error)$/);
    expect(failure?.details['recommendation']).toContain('The form may have been submitted');
  });

  test('beside loading texts, however long they stay', async () => {
    const then = '<dl><dt>Grant</dt><dd>Loading…</dd></dl>';
    const wizard = { results: { grant: { label: 'Grant' } } };
    const { done: execution, failure } = await run({ ...sentBy(then), wizard }, { a: 'x' }, { timeout_seconds: 12 });
    expect(execution).toBeUndefined();
    expect(failure?.details['recommendation']).toContain('The form may have been submitted');
  });

  test.each<[string, TestResponse]>([
    ['beside the form as it was filled in', form(input('a', 'value="x"')) + done],
    ['beside what is said of saving', `<p>Your answers were not saved. Please sign in to keep them.</p>${done}`],
    ['that say no', `<p>Unfortunately you are not eligible.</p>${done}`],
    ['with a clear hint beside them', done.replace('$42', '$42 <i style="opacity:0">of 100</i>')],
  ])('but count %s', async (_, then) => {
    const { done: execution, failure } = await run({ ...sentBy(then), wizard: { results } }, { a: 'x' });
    expect(failure).toBeUndefined();
    expect(execution?.results).toEqual({ grant: '42' });
  });
});

describe.concurrent('without named results, a page with a failure is no success:', () => {
  test.each([
    '<h1>Application status</h1><p>We could not process your application.</p>',
    '<h1>Submission rejected</h1>',
    '<h1>Application incomplete</h1>',
    '<h1>Thank you</h1><p>Unfortunately your answers were lost.</p>',
    '<h1>Willkommen</h1><p>Ihre Angaben konnten leider nicht gespeichert werden.</p>',
    '<h1>Merci</h1><p>Votre demande n’a pas pu être enregistrée.</p>',
    '<h1>Gracias</h1><p>No se pudo guardar su solicitud.</p>',
    '<h1>Grazie</h1><p>Purtroppo la domanda è incompleta.</p>',
    '<h1>Bedankt</h1><p>Uw aanvraag is mislukt.</p>',
    '<h1>Obrigado</h1><p>Não foi possível enviar o pedido.</p>',
    '<h1>Welcome back</h1><input type="password" aria-label="Secret">',
    form(input('a')),
    '<h1>Thank you</h1><script>setTimeout(() => { document.querySelector("h1").textContent = "Could not save"; }, 700)</script>',
  ])('%s', async (page) => {
    const { done: execution, failure } = await run(sentBy(`${page}<p>Reference: 4711</p>`), { a: 'x' });
    expect(execution).toBeUndefined();
    expect(failure?.details['recommendation']).toContain('The form may have been submitted');
  });

  test('a page with the expected heading that states a failure', async () => {
    const then = '<h1>Thank you</h1><p>We could not save your answers.</p>';
    const wizard = { results_page: { heading: 'Thank you' } };
    const { failure } = await run({ ...sentBy(then), wizard }, { a: 'x' });
    expect(failure?.message).toContain('"We could not save your answers."');
  });
});

const twoPages = (first: object[], second: object[], more: object = {}) => ({
  results,
  total_pages: 2,
  pages: [
    { page_number: 1, page_title: 'Step 1', url_pattern: '/', fields: first, continue_button: button },
    { page_number: 2, page_title: 'Step 2', url_pattern: '/2', fields: second, continue_button: button },
  ],
  ...more,
});

describe.concurrent('between pages', () => {
  test.each(['a page to sign in', 'any other page'])(
    'enters nothing on %s with a field of the same id',
    async (what) => {
      const heading = what === 'any other page' ? 'Newsletter' : 'Sign in';
      const site = (path: string): TestResponse => {
        if (path === '/2') return { status: 302, headers: { location: '/login' }, body: '' };
        return form(input(path === '/' ? 'city' : 'email'), undefined, 'action="/2"').replace('Form', heading);
      };
      const wizard = twoPages([wizardFormField('city')], [wizardFormField('email')]);
      const { failure, requests } = await run({ site, fields, wizard }, { city: 'Rome', email: 'j@example.org' });
      expect(failure).toMatchObject({ code: 'navigation_failed', message: expect.stringContaining(heading) });
      expect(requests.join()).not.toContain('example.org');
    },
  );

  test.each([
    ['by their names', (label: string) => ({ label, locators: [`role=textbox[name="${label}"]`] })],
    ['by their labels', (label: string) => ({ label })],
  ])('distinguishes two pages with the same id %s', async (_, ways) => {
    const step = (number: number, label: string) =>
      `<h1>Step ${number}</h1><form action="/${number + 1}"><label for="q">${label}</label><input id="q" name="q"><button>Send</button></form>`;
    const site = (path: string) => (path === '/' ? step(1, 'City') : path === '/2' ? step(2, 'Age') : done);
    const one = wizardFormField('city', { selector: '#q', ...ways('City') });
    const two = wizardFormField('age', { selector: '#q', ...ways('Age') });
    const { failure, requests } = await run(
      { site, fields, wizard: twoPages([one], [two]) },
      { city: 'Rome', age: '30' },
    );
    expect(failure).toBeUndefined();
    expect(requests).toEqual(['/', '/2?q=Rome', '/3?q=30']);
  });

  const notice = (heading: string, to: string) =>
    `<h1>${heading}</h1><form action="${to}"><button name="sure" value="1">Send</button></form>`;
  const warning = 'Warning: this will cancel your benefits';
  const warned = (path: string, sent: URLSearchParams) =>
    path === '/end' ? done : sent.size > 0 ? notice(warning, '/end') : form(input('a'));

  test('confirms a page before the results only if the file lists it', async () => {
    const { failure, requests } = await run({ site: warned, fields, wizard: { results } }, { a: 'x' });
    expect(failure).toMatchObject({ message: expect.stringContaining(warning), details: { page_number: 1 } });
    expect(failure?.details['recommendation']).toMatch(/may have been submitted.* notices of the wizard/);
    expect(requests).toEqual(['/', '/?a=x']);
    const listed = await run({ site: warned, fields, wizard: { results, notices: [warning] } }, { a: 'x' });
    expect(listed.done?.results).toEqual({ grant: '42' });
  });

  test('passes only a notice without consequences', async () => {
    const site = (heading: string) => (path: string) => {
      if (path === '/notice') return notice(heading, '/2');
      if (path === '/end') return done;
      return path === '/2'
        ? form(input('b'), undefined, 'action="/end"')
        : form(input('a'), undefined, 'action="/notice"');
    };
    const wizard = twoPages(fields, [wizardFormField('b')]);
    const harmless = await run({ site: site('Our privacy notice'), fields, wizard }, { a: 'x', b: 'y' });
    expect(harmless.done?.warnings.join()).toContain('Our privacy notice');
    for (const heading of [warning, 'I authorize the agency to disclose my tax information']) {
      const { failure, requests } = await run({ site: site(heading), fields, wizard }, { a: 'x', b: 'y' });
      expect(failure?.details['technical_details']).toBe('UNKNOWN_NOTICE');
      expect(requests).toEqual(['/', '/notice?a=x']);
    }
  });
});

describe.concurrent('a page without fields to fill at the address of the next page', () => {
  const review = '<h1>Check your answers</h1><form action="/end"><button>Send</button></form>';
  const cancelling = `<h1>Cancel your benefits</h1><p>Press Send to go on.</p>
    <form action="/end"><button name="cancel" value="yes">Send</button></form>`;
  const comment = form(input('note'), undefined, 'action="/end"').replace('Form', 'Anything else?');
  const site = (second: string) => (path: string) =>
    path === '/end' ? done : path === '/2' ? second : form(input('a'), undefined, 'action="/2"');
  const reviewing = (page_title: string) => {
    const wizard = twoPages(fields, []);
    return { ...wizard, pages: wizard.pages.map((page, i) => (i === 1 ? { ...page, page_title } : page)) };
  };

  test.each<[string, object]>([
    ['only fields that nobody mentioned', twoPages(fields, [wizardFormField('note', { required: false })])],
    ['no field', reviewing('Check your answers')],
    ['no field, and a short name that others begin with', reviewing('Canc')],
  ])('is not submitted if it is another page; in the file it has %s', async (_, wizard) => {
    const { failure, requests } = await run({ site: site(cancelling), fields, wizard }, { a: 'x' });
    expect(failure).toMatchObject({
      code: 'navigation_failed',
      message: expect.stringContaining('Cancel your benefits'),
    });
    expect(requests).toEqual(['/', '/2?a=x']);
  });

  test.each<[string, string, object]>([
    ['by one of its fields', comment, twoPages(fields, [wizardFormField('note', { required: false })])],
    ['by its heading', review, reviewing('Check your answers')],
    ['by a heading that the file says more of', review, reviewing('Check your answers (page 2)')],
  ])('is recognized %s', async (_, second, wizard) => {
    const { done: execution, failure } = await run({ site: site(second), fields, wizard }, { a: 'x' });
    expect(failure).toBeUndefined();
    expect(execution).toMatchObject({ results: { grant: '42' }, warnings: [] });
  });
});

describe.concurrent('a dialog with a question', () => {
  const site = answering(done, form(input('a'), undefined, `onsubmit="return confirm('Really send it?')"`));

  test('is answered with Cancel and reported', async () => {
    const { failure, requests } = await run({ site, fields, wizard: { results } }, { a: 'x' });
    expect(failure).toMatchObject({ code: 'navigation_failed', message: expect.stringContaining('"Really send it?"') });
    expect(failure?.details['recommendation']).toContain('accept_dialogs');
    expect(requests).toEqual(['/']);
  });

  test('is answered with OK if the file lists its text', async () => {
    const wizard = { results, accept_dialogs: ['really send'] };
    expect((await run({ site, fields, wizard }, { a: 'x' })).done?.results).toEqual({ grant: '42' });
  });

  test('is reported once if it repeats', async () => {
    const storm = form(input('a'), undefined, `onsubmit="for (const _ of 'abc') alert('No'); return false"`);
    const { failure } = await run({ site: () => storm, fields, wizard: { results } }, { a: 'x' });
    expect(failure?.details['validation_errors']).toMatchObject([{ message: 'No' }]);
  });
});

describe.concurrent('an error after a possible submission does not advise to try again', () => {
  const post = form(input('a'), undefined, 'method="post"');
  const silent = scripted(`async function go() { await fetch('/api', { method: 'POST', body: a.value }); }`);
  test.each<[string, string, TestResponse]>([
    ['when the site then fails', post, { status: 500, body: '<h1>Oops</h1>' }],
    ['when a script sent it and nothing came of it', silent, 'ok'],
    ['when the connection breaks', post, 'broken'],
    ['when the site objects to it', post, `<div role="alert">That is wrong.</div>${post}`],
  ])('%s', async (_, page, then) => {
    const site = (_path: string, _sent: URLSearchParams, { method, socket }: IncomingMessage) => {
      if (method === 'POST' && then === 'broken') socket.destroy();
      return method === 'POST' ? then : page;
    };
    const { failure } = await run({ site, fields, wizard: { results } }, { a: 'x' });
    const { recommendation, corrective_action } = failure?.details ?? {};
    expect([recommendation, corrective_action].join(' ')).toMatch(/may have been submitted.*Check the screenshot/);
    expect([recommendation, corrective_action].join(' ')).not.toMatch(/try again/i);
  });

  test('after a timeout', () => {
    const { code, details } = markAsMaybeSent(runError('timeout', 'The time was up.'));
    expect(code).toBe('timeout');
    expect(details['corrective_action']).toMatch(/^Check the screenshot and the site/);
    expect(details['recommendation']).toMatch(/The form may have been submitted/);
    expect(Object.values(details).join()).not.toMatch(/try again/i);
  });

  test('advises to try again if nothing was sent', async () => {
    const page = scripted('function go() {}');
    const { failure } = await run({ site: () => page, fields, wizard: { results } }, { a: 'x' });
    expect(failure?.details['corrective_action']).toMatch(/^Try again/);
  });
});
