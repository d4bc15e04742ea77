import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testPages, testServer } from '../../platform/page/test-support.ts';
import { actAndSettle } from '../settle/settle.ts';
import { watchOutcome } from './outcome.ts';
import type { SubmissionOutcome } from './outcome-model.ts';

const open = testPages();
let server: TestServer;
let site: Site;

/** A page, and what the site answers to each other address. */
interface Site {
  page: string;
  answers?: Record<string, [status: number, body: string, location?: string]>;
}

beforeAll(async () => {
  server = await testServer((request: IncomingMessage, response: ServerResponse) => {
    const [status, body, location] = site.answers?.[request.url?.split('?')[0] ?? ''] ?? [200, site.page];
    const type = /^[{[]/.test(body) ? 'application/json' : 'text/html; charset=utf-8';
    response.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(body);
  });
  return () => server[Symbol.asyncDispose]();
});

const FIELDS = '<label>Name <input name="name"></label><label>City <input name="city"></label>';
const form = (method = 'post', extra = '') =>
  `<form method="${method}" action="/sent">${FIELDS}<button>Send</button>${extra}</form>`;
/** A form that a script sends, and then `then` runs with the answer. */
const scripted = (then: string, url = '/sent') => `${form()}<div id="said"></div><script>
  const form = document.forms[0], said = document.getElementById('said');
  form.onsubmit = async (event) => {
    event.preventDefault();
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    const answer = await fetch('${url}', { method: 'POST', body });
    ${then}
  };</script>`;
const clientOnly = (then: string) => `${form()}<div id="said"></div><script>
  const form = document.forms[0], said = document.getElementById('said');
  form.onsubmit = (event) => { event.preventDefault(); ${then} };</script>`;

async function submit(given: Site): Promise<SubmissionOutcome> {
  site = given;
  const page = await open('');
  await actAndSettle(page, () => page.goto(`${server.url}/`));
  await page.getByLabel('Name').fill('Ann Lee');
  await page.getByLabel('City').fill('Rome');
  page.on('dialog', (dialog) => void dialog.accept());
  using watch = await watchOutcome(page);
  await actAndSettle(page, () => page.getByRole('button', { name: 'Send' }).click());
  return watch.verdict();
}

describe('accepts what the site keeps', () => {
  test.each<[string, Site]>([
    ['a page that follows the form', { page: form(), answers: { '/sent': [200, '<h1>Your number is 7</h1>'] } }],
    ['a form that is sent by GET', { page: form('get'), answers: { '/sent': [200, '<h1>Your number is 7</h1>'] } }],
    [
      'settings that are kept in their form',
      { page: scripted(`said.innerHTML = '<p role="status">Changes kept</p>'`), answers: { '/sent': [200, '{}'] } },
    ],
    [
      'a list of the page that gets what was entered',
      { page: clientOnly('said.textContent = form.name.value; form.reset()') },
    ],
    [
      'a guest book that shows what was entered',
      { page: form(), answers: { '/sent': [303, '', '/book'], '/book': [200, `${form()}<p>Ann Lee from Rome</p>`] } },
    ],
  ])('%s', async (_, given) => {
    expect(await submit(given)).toMatchObject({ verdict: 'accepted', pending: '', fields: [] });
  });
});

describe('rejects what the site refuses', () => {
  test.each<[string, Site, { name: string; text: string }[]]>([
    [
      'errors of GraphQL behind status 200',
      {
        page: scripted(''),
        answers: { '/sent': [200, '{"data":null,"errors":[{"message":"No such city","path":["add","city"]}]}'] },
      },
      [{ name: 'City', text: 'No such city' }],
    ],
    [
      'an error status behind a message of success',
      { page: scripted(`said.innerHTML = '<p role="status">Saved</p>'`), answers: { '/sent': [409, '{}'] } },
      [],
    ],
    [
      'a field that is described anew',
      {
        page: clientOnly(
          `said.id = 'why'; said.textContent = 'Not a place'; form.city.setAttribute('aria-describedby', 'why')`,
        ),
      },
      [{ name: 'City', text: 'Not a place' }],
    ],
    [
      'a text beside a field of a form that stays',
      { page: clientOnly(`form.city.after(document.createTextNode(' Not a place'))`) },
      [{ name: 'City', text: 'Not a place' }],
    ],
    ['a dialog of the browser before anything is sent', { page: clientOnly(`alert('Not a place')`) }, []],
    [
      'red text in a form that is drawn again with its values',
      {
        page: form(),
        answers: {
          '/sent': [
            200,
            `<p style="color:#c00">Not a place</p>${form().replace('name="name"', 'name="name" value="Ann Lee"')}`,
          ],
        },
      },
      [],
    ],
  ])('%s', async (_, given, fields) => {
    const outcome = await submit(given);
    expect(outcome).toMatchObject({ verdict: 'rejected', fields });
    expect(outcome.fields).toHaveLength(fields.length);
  });
});

describe('does not accept what may have been refused', () => {
  test.each<[string, Site]>([
    [
      'a form that is drawn again without its values',
      { page: form(), answers: { '/sent': [200, `<p>Hello</p>${form()}`] } },
    ],
    [
      'a form that is drawn again with its values',
      { page: form(), answers: { '/sent': [200, form().replace('name="name"', 'name="name" value="Ann Lee"')] } },
    ],
    ['a click that draws the form again', { page: clientOnly('form.reset()') }],
    ['a click without any effect', { page: clientOnly('') }],
    ['a next page of the form', { page: clientOnly(`form.innerHTML = '<label>Street <input required></label>'`) }],
    [
      'a login',
      { page: form(), answers: { '/sent': [200, '<form><label>Password <input type="password"></label></form>'] } },
    ],
    [
      'words of failure',
      { page: form(), answers: { '/sent': [200, '<h1>Leider konnte Ihr Antrag nicht gespeichert werden</h1>'] } },
    ],
    [
      'an alert beside a form that keeps its values',
      {
        page: scripted(`said.innerHTML = '<p role="alert">Bereits vergeben</p>'`),
        answers: { '/sent': [200, '{}'] },
      },
    ],
    ['a connection that breaks', { page: scripted('', 'http://127.0.0.1:1/sent') }],
  ])('%s', async (_, given) => {
    expect(await submit(given)).toMatchObject({ verdict: 'unknown', pending: '' });
  });
});

test.each<[SubmissionOutcome['pending'], string]>([
  ['confirmation', '<h1>Summary</h1><p>Ann Lee</p><form method="post"><button>Go</button></form>'],
  ['confirmation', '<h1>Bitte bestätigen Sie Ihre Angaben</h1>'],
  ['e-mail', '<h1>Merci</h1><p>Cliquez sur le lien dans l’e-mail pour confirmer votre inscription.</p>'],
])('says that the %s is pending', async (pending, body) => {
  expect(await submit({ page: form(), answers: { '/sent': [200, body] } })).toMatchObject({
    verdict: 'unknown',
    pending,
  });
});

test('does not take a form by GET for sent when its page only looks something up', async () => {
  const page = `${form()}<script>document.forms[0].onsubmit = (event) => { event.preventDefault(); fetch('/look?up=1'); }</script>`;
  const { verdict, evidence } = await submit({ page, answers: { '/look': [200, '{}'] } });
  expect(verdict).toBe('unknown');
  expect(evidence.map(({ kind }) => kind)).toContain('nothing sent');
});
