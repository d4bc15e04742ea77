import { html, type Markup, verbatim } from '../../../../src/web/html.ts';
import { page } from './layout.ts';
import type { ServiceRoutes, ServiceSession, ServiceSite } from './service.ts';
import { documents, menuPaths, news, offices, questions, topics, words } from './words.ts';

const PER_PAGE = 5;

/** Articles, search and downloads. */
export function readingRoutes(site: ServiceSite): ServiceRoutes {
  return {
    'GET /': ({ session }) =>
      page(
        session,
        '/',
        words[session.language].site,
        html`<p>${words[session.language].welcome}</p><p><a href="/apply">Apply for housing support</a></p><h2>Latest news</h2><ul>${news.slice(0, 3).map(({ id, title }) => html`<li><a href="/news/${id}">${title}</a></li>`)}</ul>`,
      ),
    'GET /imprint': ({ session }) =>
      page(session, '/imprint', 'Imprint', html`<p>Residents’ Services, 1 Town Square.</p>`),
    'GET /accessibility': ({ session }) =>
      page(
        session,
        '/accessibility',
        'Accessibility',
        html`<p>We want everybody to be able to use this site. Search engines find it too.</p>`,
      ),
    'GET /search': ({ session, query }) => {
      const wanted = (query.get('query') ?? '').toLowerCase();
      const found = site.has('search-finds-nothing')
        ? []
        : words.en.menu.flatMap((name, index) =>
            wanted !== '' && name.toLowerCase().includes(wanted) ? [{ name, to: menuPaths[index] ?? '/' }] : [],
          );
      return page(
        session,
        '/search',
        'Search results',
        found.length > 0
          ? html`<p role="status">${found.length} results</p><ul>${found.map(({ name, to }) => html`<li><a href="${to}">${name}</a></li>`)}</ul>`
          : html`<p role="status">Nothing was found for “${wanted}”.</p>`,
      );
    },
    'GET /offices': ({ session, query }) => {
      const postcode = query.get('postcode') ?? '';
      const near = offices.filter((office) => office.postcode.slice(0, 2) === postcode.slice(0, 2));
      return page(
        session,
        '/offices',
        'Find your office',
        html`<form action="/offices"><div class="q"><label for="pc">Postcode</label><input id="pc" name="postcode" inputmode="numeric" pattern="\\d{5}" required value="${postcode}"></div><button>Find office</button></form>${postcode !== '' && (near.length > 0 ? html`<ul>${near.map(({ name, postcode: code }) => html`<li>${name}, ${code}</li>`)}</ul>` : html`<p role="status">There is no office near ${postcode}.</p>`)}`,
      );
    },
    'GET /news': ({ session, query }) => newsPage(site, session, query),
    'GET /news/:id': ({ session, params, path }) => {
      const item = news.find(({ id }) => String(id) === params['id']);
      return item
        ? page(
            session,
            path,
            item.title,
            html`<p>Topic: ${item.topic}</p><p>${item.text}</p><p><a href="/news">All news</a></p>`,
          )
        : { status: 404, body: 'No such news' };
    },
    'GET /forms': ({ session }) =>
      page(
        session,
        '/forms',
        'Forms',
        html`<ul>${documents.map(({ file, title }) => html`<li><a href="/files/${file}">${title}</a></li>`)}</ul>`,
      ),
    'GET /files/:file': ({ params }) => {
      const known = documents.some(({ file }) => file === params['file']);
      if (!known || site.has('form-missing')) return { status: 404, body: 'No such file' };
      return { type: 'application/pdf', headers: { 'content-disposition': 'attachment' }, body: '%PDF-1.4\n%%EOF\n' };
    },
    'GET /help': ({ session }) =>
      page(
        session,
        '/help',
        'Frequent questions',
        html`${questions.map(([question, answer]) => html`<details><summary>${question}</summary><p>${answer}</p></details>`)}<form method="post" action="/help/useful"><fieldset><legend>Was this page useful?</legend><label><input type="radio" name="useful" value="yes" required> Yes</label> <label><input type="radio" name="useful" value="no"> No</label></fieldset><label for="why">What could be better?</label> <input id="why" name="why" maxlength="200"> <button>Send feedback</button></form>`,
      ),
    'GET /calculator': ({ session }) => page(session, '/calculator', 'Support calculator', calculator(site)),
  };
}

function newsPage(site: ServiceSite, session: ServiceSession, query: URLSearchParams): Markup {
  const topic = query.get('topic') ?? '';
  const chosen = news.filter((item) => !topic || site.has('news-topic-ignored') || item.topic === topic);
  const number = Math.max(1, Number(query.get('page') ?? 1));
  const last = Math.ceil(chosen.length / PER_PAGE);
  const to = (target: number) => `/news?${new URLSearchParams({ ...(topic && { topic }), page: String(target) })}`;
  return page(
    session,
    '/news',
    'News',
    html`<p>Topic: <a href="/news">All</a> ${topics.map((name) => html`<a class="chip" href="/news?topic=${encodeURIComponent(name)}"${topic === name && verbatim(' aria-current="true"')}>${name}</a> `)}</p>
${chosen.slice((number - 1) * PER_PAGE, number * PER_PAGE).map(({ id, title, topic: about }) => html`<article><h2><a href="/news/${id}">${title}</a></h2><p>${about}</p></article>`)}
<p class="pager">${number > 1 && html`<a href="${to(number - 1)}">Newer</a>`} ${number} / ${last} ${number < last && html`<a href="${to(number + 1)}">Older</a>`}</p>
<section aria-labelledby="sub"><h2 id="sub">News by mail</h2><form method="post" action="/news/subscribe"><label for="nm">Email address</label> <input id="nm" name="email" type="email" autocomplete="email" required> <button>Subscribe</button></form></section>`,
  );
}

/** Works in the page only; nothing is sent. */
function calculator(site: ServiceSite): Markup {
  return html`<p>An estimate; nothing is stored.</p><div data-calc></div><script>
const place = document.querySelector('[data-calc]');
place.innerHTML = '<div class="q"><label for="people">People in your household</label><input id="people" type="number" min="1" max="12" value="1"></div><div class="q"><label for="income">Monthly income (€)</label><input id="income" type="number" min="0" max="10000" step="50" value="1200"></div><button type="button" data-run>Calculate</button><output aria-live="polite"></output>';
place.querySelector('[data-run]').addEventListener('click', () => {
  const [people, income] = [...place.querySelectorAll('input')].map((input) => Number(input.value));
  const support = Math.max(0, 300 + people * ${site.has('calculator-off') ? 15 : 150} - Math.round(income / 10));
  place.querySelector('output').textContent = 'You could get about €' + support + ' a month.';
});</script>`;
}
