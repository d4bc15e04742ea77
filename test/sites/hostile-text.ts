import { buffer } from 'node:stream/consumers';
import { hostileText } from '../support/server/hostile-text.ts';
import { MARKER } from '../support/server/marker.ts';
import type { SiteHandler } from './serve.ts';

const formula = '=HYPERLINK("http://x.example","open")';
const huge = 'long '.repeat(20_000);

function page(title: string, body: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="description" content="${hostileText('About')}"><title>${title}</title></head><body>${body}
<script>console.error(${JSON.stringify(hostileText('console'))}); setTimeout(() => { throw new Error(${JSON.stringify(hostileText('thrown'))}); });</script></body></html>`;
}

const label = hostileText('Full name');
const button = hostileText('Send entry');
const message = `${hostileText('Name is needed')} ${huge}`;

/** A small site whose every text is hostile: title, heading, labels, messages, links, images, console. It has one form. */
export const hostileTextSite: SiteHandler = async (path, request) => {
  if (path === '/')
    return page(
      `${formula} ${hostileText('Home')} ${huge}`,
      `<main><h1>${hostileText('Welcome')} ${huge}</h1><p><a href="/write?ref=${MARKER}">${hostileText('Write an entry')}</a></p>
<img src="/${MARKER}.png" id="${MARKER}" class="${hostileText('class')}" data-of="${hostileText('data')}" aria-label="" title="${hostileText('picture')}"><p style="color:#777;background:#888">${hostileText('faint')} ${huge}</p></main>`,
    );
  if (path === '/done' && request.method === 'POST') {
    const sent = new URLSearchParams((await buffer(request)).toString('utf8'));
    return sent.get('name')
      ? page(
          hostileText('Thank you'),
          `<main><h1>Thanks</h1><p role="status">${hostileText('Your entry was kept')}</p></main>`,
        )
      : page(hostileText('Not kept'), `<main><h1>Sorry</h1><p role="alert">${message}</p></main>`);
  }
  if (path.split('?')[0] !== '/write') return undefined;
  return page(
    hostileText('Write'),
    `<main><h1>${hostileText('Your entry')}</h1><form method="post" action="/done"><p><label for="name">${label}</label>
<input id="name" name="name" required placeholder="${hostileText('e.g. Ada')}"></p>
<p><label for="from">${hostileText('Where from')}</label> <select id="from" name="from"><option>${hostileText('Near')}</option><option>Far</option></select></p>
<p><button>${button}</button></p></form></main>`,
  );
};

/** A page with thousands of violations, each with a long element. */
export const manyViolations: SiteHandler = (path) =>
  path === '/'
    ? `<!DOCTYPE html><html lang="en"><head><title>${'Many '.repeat(5_000)}</title></head><body><main><h1>Many</h1>${Array.from(
        { length: 1_600 },
        (_, index) =>
          `<img src="data:," class="${'long-class-name '.repeat(40)}n${index}" data-text="${'x'.repeat(500)}">`,
      ).join('')}</main></body></html>`
    : undefined;
