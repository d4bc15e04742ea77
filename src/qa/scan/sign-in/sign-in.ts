import { Failure, quote } from '../../../platform/errors.ts';
import type { CrawlSession } from '../crawl/crawl-session.ts';
import type { ScannedPage, ScanTab } from '../crawl/scan-tab.ts';
import { shortPath } from '../site-urls.ts';
import {
  completeLoginForm,
  type LoginAttempt,
  type LoginForm,
  showsPasswordField,
  submitLogin,
  submitUsername,
  type UsernameForm,
} from './login-forms.ts';

/**
 * Logs in and returns the page that the login led to. That page is opened again, because the origin lock ends with the
 * document that the secrets were typed into.
 */
export async function signInToSite(
  { crawl, guarded, runContext: { secrets, signal }, start, meter }: CrawlSession,
  tab: ScanTab,
  form: LoginForm,
  names: { username: string; password: string },
): Promise<ScannedPage | undefined> {
  try {
    const visited = await tab.visit(form.url);
    if (visited.outcome !== 'seen')
      throw new Failure('site_failed', 'LOGIN_GONE', 'The login page could not be opened again.');
    const values = { username: secrets.value(names.username), password: secrets.value(names.password) };
    // Steps: user name, password, submit; one more for a two-page login.
    meter.steps += form.next === undefined ? 3 : 4;
    const attempt = await guarded.withOriginLock(tab, (send) => submitLogin(tab, form, values, { signal, send }));
    return await confirmSignedIn(tab, attempt, { login: form.url, start: start.href });
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Failure ? error.message : 'the form could not be used';
    crawl.note(`The login with ${names.username} and ${names.password} failed: ${why}`);
    return undefined;
  }
}

/** Confirms the sign-in: neither the landing page nor the start page shows a password field. */
async function confirmSignedIn(
  tab: ScanTab,
  attempt: LoginAttempt,
  { login, start }: { login: string; start: string },
) {
  const urls = attempt.asksForPassword ? [login] : attempt.isBlank ? [attempt.url] : [attempt.url, start];
  for (const url of new Set(urls)) {
    const seen = await tab.visit(url);
    if (seen.outcome === 'seen' && !showsPasswordField(seen)) return seen;
  }
  if (!attempt.asksForPassword) {
    const message = 'The site accepted the login but did not keep the session after a reload.';
    throw new Failure('site_failed', 'LOGIN_FORGOTTEN', message);
  }
  const why = attempt.message ? `The page says ${quote(attempt.message, 150)}.` : 'The login form is still shown.';
  throw new Failure('site_failed', 'LOGIN_REFUSED', `The site does not accept the login. ${why}`);
}

/** Submits the user name of a two-page login to find its password form. */
export async function findPasswordForm(
  { crawl, guarded, runContext: { secrets, signal }, meter }: CrawlSession,
  tab: ScanTab,
  form: UsernameForm,
  secret: string,
): Promise<LoginForm | undefined> {
  try {
    if ((await tab.visit(form.url)).outcome !== 'seen') return undefined;
    // Steps: user name, submit.
    meter.steps += 2;
    const look = await guarded.withOriginLock(tab, async (send) => {
      await submitUsername(tab, form, secrets.value(secret), { signal, send });
      return tab.observe();
    });
    const known = completeLoginForm(form, crawl.asPage(look, { template: '', opened: [], artifactId: null }));
    if (!known) crawl.note(`The form on ${shortPath(form.url)} asks for a user name, but no password field follows.`);
    return known;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
