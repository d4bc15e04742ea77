import { actAndSettle } from '../../../page/settle/settle.ts';
import { setControl } from '../../../platform/page/act/set-value.ts';
import type { SettableControl } from '../../../platform/page/act/settable-control.ts';
import { findByLadder } from '../../../platform/page/locate/element-finder.ts';
import type { ProjectSecrets } from '../../secrets/project-secrets.ts';
import type { ScannedPage, ScanTab } from '../crawl/scan-tab.ts';
import type { AllowSending } from '../guard/guarded-context.ts';
import { type FormFeatures, formsOnPage, type RecordedPage } from '../read/page-features.ts';
import { CANDIDATE_FROM, scoreFormAs } from '../recognise/recognise-use-cases.ts';
import type { ClickTarget, FormField, SignIn } from '../use-case-evidence.ts';
import { loginWords } from '../words/login-words.ts';
import { siteWords } from '../words/site-words.ts';

type SecretSummary = ProjectSecrets['list'][number];

/** Chooses a user name and a password among the secrets, of the same user if there are several. */
export function chooseCredentials(
  secrets: readonly SecretSummary[],
): { username: string; password: string } | undefined {
  const said = ({ name, description }: SecretSummary) => `${name} ${description ?? ''}`;
  const passwords = secrets.filter(({ name }) => loginWords.password.test(name));
  const described = secrets.filter(
    (secret) =>
      !loginWords.password.test(secret.name) &&
      loginWords.password.test(said(secret)) &&
      !loginWords.userName.test(secret.name),
  );
  const users = secrets.filter(
    (secret) =>
      !loginWords.password.test(secret.name) && loginWords.userName.test(said(secret)) && !described.includes(secret),
  );
  const pairs = [...passwords, ...described].flatMap((password) =>
    users.map((user) => ({
      username: user.name,
      password: password.name,
      alike: commonPrefixLength(user.name, password.name),
    })),
  );
  const [best] = pairs.sort((a, b) => b.alike - a.alike);
  return best && { username: best.username, password: best.password };
}

function commonPrefixLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** The fields and buttons of a login form. */
export type LoginForm = Pick<SignIn, 'url' | 'username' | 'next' | 'password' | 'submit'>;

export function findLoginForm(page: RecordedPage): LoginForm | undefined {
  for (const facts of formsOnPage(page)) {
    if (leavesSite(facts) || scoreFormAs('login', facts) < CANDIDATE_FROM) continue;
    const password = facts.shown.find(({ kind }) => kind === 'password');
    const username = findUsernameField(facts);
    if (username && password) return { url: page.state.url, username, password, submit: facts.form.submit };
  }
  return undefined;
}

/** A form that asks only for the user name; the password follows on the next page. */
export type UsernameForm = Pick<SignIn, 'url' | 'username'> & { next: ClickTarget | null };

export function findUsernameForm(page: RecordedPage): UsernameForm | undefined {
  for (const facts of formsOnPage(page)) {
    const [username, ...others] = facts.shown;
    if (!username || leavesSite(facts) || others.length > 0 || !['text', 'email', 'tel'].includes(username.kind))
      continue;
    const said = `${facts.submitWords} ${facts.pageWords}`;
    const isOwn = facts.place === 'main' || facts.place === 'dialog';
    const leadsOn = siteWords.login.test(facts.submitWords) || loginWords.next.test(facts.submitWords);
    const isAnother = [siteWords.newsletter, siteWords.forgotten, siteWords.signUp].some((other) => other.test(said));
    if (
      isOwn &&
      leadsOn &&
      !isAnother &&
      siteWords.login.test(said) &&
      loginWords.userName.test(`${username.autocomplete} ${facts.fieldWords}`)
    )
      return { url: page.state.url, username, next: facts.form.submit };
  }
  return undefined;
}

/** Completes a login form with the password field of the next page. */
export function completeLoginForm({ url, username, next }: UsernameForm, page: RecordedPage): LoginForm | undefined {
  for (const facts of formsOnPage(page)) {
    if (leavesSite(facts)) continue;
    const { shown, form } = facts;
    const password = shown.find(({ kind }) => kind === 'password');
    if (password) return { url, username, next, password, submit: form.submit };
  }
  return undefined;
}

/** Whether a form is in a frame or submits to another origin: no password goes there. */
function leavesSite({ shown, form }: FormFeatures): boolean {
  return form.leaves || shown.some(({ ladder }) => ladder.some(({ frame = [] }) => frame.length > 0));
}

function findUsernameField({ shown }: FormFeatures): FormField | undefined {
  const texts = shown.filter(({ kind }) => ['text', 'email', 'tel'].includes(kind));
  return texts.find(({ autocomplete }) => autocomplete === 'username' || autocomplete === 'email') ?? texts[0];
}

/** State of the page after a login was submitted. */
export interface LoginAttempt {
  url: string;
  /** The page still shows a password field. */
  asksForPassword: boolean;
  /** First error message of the page. */
  message: string | undefined;
  /** The page is empty: its scripts may come from another site, which the origin lock blocks. */
  isBlank: boolean;
}

/** Fills in and submits the form. Typed values appear nowhere else. */
export async function submitLogin(
  tab: ScanTab,
  form: LoginForm,
  values: { username: string; password: string },
  { signal, send }: { signal: AbortSignal; send: AllowSending },
): Promise<LoginAttempt> {
  const page = tab.page();
  await setControl(page, settable(form.username), values.username, { signal });
  if (form.next !== undefined) await press(tab, form.next, { signal, send });
  await setControl(page, settable(form.password), values.password, { signal });
  await press(tab, form.submit, { signal, send });
  let { reading } = await tab.observe();
  if (showsPasswordField({ reading })) {
    // A page that scripts render may not be ready yet.
    await send(() => actAndSettle(page, async () => {}, { quietMs: 700, timeoutMs: 5_000, signal }));
    ({ reading } = await tab.observe());
  }
  return {
    url: page.url(),
    asksForPassword: showsPasswordField({ reading }),
    message: reading.errors[0]?.text,
    isBlank: reading.controls.length === 0,
  };
}

/** Submits the user name on the first page of a two-page login. */
export async function submitUsername(
  tab: ScanTab,
  form: UsernameForm,
  username: string,
  how: { signal: AbortSignal; send: AllowSending },
): Promise<void> {
  await setControl(tab.page(), settable(form.username), username, { signal: how.signal });
  await press(tab, form.next, how);
}

async function press(
  tab: ScanTab,
  button: ClickTarget | null,
  { signal, send }: { signal: AbortSignal; send: AllowSending },
): Promise<void> {
  const page = tab.page();
  const act = async () => {
    if (!button) return page.keyboard.press('Enter');
    const { locator } = await findByLadder(page, button.ladder, {}, { signal });
    return locator.click();
  };
  await send(() => actAndSettle(page, act, { timeoutMs: 15_000, signal }));
}

export function showsPasswordField({ reading }: Pick<ScannedPage, 'reading'>): boolean {
  return reading.controls.some(({ kind, visible }) => visible && kind === 'password');
}

function settable({ kind, label, ladder }: FormField): SettableControl {
  const own = kind === 'email' || kind === 'tel' || kind === 'password' ? kind : 'text';
  return { kind: own, name: label, ladder };
}
