/** `npm run sites [-- name …]`: serves the sites of the tests and benchmarks on 127.0.0.1 until Ctrl+C, to try the tools. */
import { apps } from '../test/sites/apps/apps.ts';
import { fixtures } from '../test/sites/forms/index.ts';
import { startGuestBook } from '../test/sites/guest-book.ts';
import { say } from './steps.ts';

type Start = () => Promise<{ url: string; credentials?: { username: string; password: string } }>;

const sites: Record<string, Start> = {
  ...Object.fromEntries(Object.entries(fixtures).map(([name, { start }]) => [name, () => start()])),
  ...Object.fromEntries(Object.entries(apps).map(([name, { start }]) => [name, () => start()])),
  'guest-book': startGuestBook,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in sites));
if (unknown.length > 0) {
  say(`Unknown site: ${unknown.join(', ')}. Available sites: ${Object.keys(sites).join(', ')}.`);
  process.exit(2);
}
for (const [name, start] of Object.entries(sites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { url, credentials } = await start();
  const login = credentials?.username ? `   user ${credentials.username}, password ${credentials.password}` : '';
  say(`${name.padEnd(20)} ${url}${login}`);
}
say('Press Ctrl+C to stop.');
