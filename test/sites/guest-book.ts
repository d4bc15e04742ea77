import { buffer } from 'node:stream/consumers';
import { cleanPage, type ServedSite, serveSite } from './serve.ts';

/** What a release of the site may do to it. */
export interface GuestBook extends ServedSite {
  /** What was really written into it. */
  entries: { name: string; mail: string; from: string }[];
  /** Set while it is served. */
  is: {
    /** The answer to an entry is a server error. */
    failing: boolean;
    /** Stores entries without a confirmation. */
    silent: boolean;
    /** Ids and labels are other ones. */
    redesigned: boolean;
    /** The form is elsewhere. */
    moved: boolean;
    /** Every other answer is a server error. */
    moody: boolean;
  };
  /** Answers wait for this. */
  hold: Promise<void> | undefined;
}

/** A site with one form: a guest book. It keeps what it received. */
export async function startGuestBook(): Promise<GuestBook> {
  const entries: GuestBook['entries'] = [];
  const is = { failing: false, silent: false, redesigned: false, moved: false, moody: false };
  const state: { hold: Promise<void> | undefined } = { hold: undefined };
  let asked = 0;
  const site = await serveSite(async (path, request) => {
    await state.hold;
    if (path === '/') return cleanPage('Guest book', '<p>Welcome.</p><p><a href="/write">Write an entry</a></p>');
    if (path !== '/write' || is.moved) return undefined;
    if (request.method !== 'POST') return form(is.redesigned);
    if (is.failing || (is.moody && asked++ % 2 === 0)) return { status: 500, body: 'Out of ink' };
    const sent = new URLSearchParams((await buffer(request)).toString('utf8'));
    const entry = { name: sent.get('name') ?? '', mail: sent.get('mail') ?? '', from: sent.get('from') ?? '' };
    if (entry.name === '' || !entry.mail.includes('@'))
      return cleanPage('Not kept', '<p role="alert">A name and an email address are needed.</p>');
    entries.push(entry);
    if (is.silent) return cleanPage('Guest book', '<p>Welcome.</p>');
    return cleanPage('Thank you', `<p role="status">Your entry was kept, ${escaped(entry.name)}.</p>`);
  });
  return Object.defineProperties(Object.assign(site, { entries, is, hold: state.hold }), {
    // A property that was only assigned would not reach the handler above.
    hold: { get: () => state.hold, set: (until: Promise<void> | undefined) => Object.assign(state, { hold: until }) },
  });
}

function form(redesigned: boolean): string {
  const [nameId, label, buttonId, button] = redesigned
    ? ['who', 'Your name, please', 'sign', 'Sign it']
    : ['name', 'Full name', 'send', 'Send entry'];
  return cleanPage(
    'Write an entry',
    `<form method="post" action="/write">
<p><label for="${nameId}">${label}</label> <input id="${nameId}" name="name" required minlength="3" maxlength="30"></p>
<p><label for="mail">Email address</label> <input id="mail" name="mail" type="email" required></p>
<p><label for="from">Where from</label> <select id="from" name="from"><option>Near</option><option>Far</option></select></p>
<p><button id="${buttonId}">${button}</button></p></form>`,
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
