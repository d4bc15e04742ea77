import { cleanPage, type SiteHandler } from '../serve.ts';

export const member = { username: 'kim.two@example.com', password: 'second-Page-77' };

const form = (action: string, field: string, button: string) =>
  `<form method="post" action="${action}">${field}<button>${button}</button></form>`;
/** A form on every page that must not be recognized as a login. */
const digest = `<footer>${form('/digest', '<label>Email <input type="email" name="email"></label>', 'Sign in to the digest')}</footer>`;
const name = form('/login', '<label>Email <input type="email" name="email" required></label>', 'Next');
const password = form(
  '/login/password',
  '<label>Password <input type="password" name="password" required></label>',
  'Log in',
);
const inside = form(
  '/messages',
  '<label>Message <textarea name="message" required></textarea></label>',
  'Send message',
);

/** Asks for the user name on one page and for the password on the next. */
export const twoPageLogin: SiteHandler = async (path, request) => {
  const sent = new URLSearchParams(request.method === 'POST' ? await textOf(request) : '');
  const page = (title: string, body: string) => cleanPage(title, body + digest);
  const isIn = request.headers.cookie?.includes('in=yes') === true;
  if (path === '/login' && sent.get('email') === member.username)
    return { status: 303, headers: { location: '/login/password', 'set-cookie': 'name=known' } };
  if (path === '/login/password' && sent.get('password') === member.password)
    return { status: 303, headers: { location: '/messages', 'set-cookie': 'in=yes; Path=/' } };
  if (path === '/login/password' && request.headers.cookie?.includes('name=known'))
    return page('Welcome back', password);
  if (path === '/messages' && isIn) return page(`Messages of ${member.username}`, `<h2>Contact us</h2>${inside}`);
  if (path === '/' || path.startsWith('/login') || path === '/messages') return page('Sign in', name);
  return undefined;
};

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
