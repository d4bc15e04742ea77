import { type SettableControl, setValue } from '../../../platform/page/act/set-value.ts';
import { findByLadder } from '../../../platform/page/locate/element-finder.ts';
import { actAndSettle } from '../../../platform/page/settle/settle.ts';
import type { ProjectSecrets } from '../../secrets/project-secrets.ts';
import type { PageObservation, ScanTab } from '../crawl/scan-tab.ts';
import type { AllowSending } from '../guard/guarded-context.ts';
import { type FormFeatures, formsOnPage, type RecordedPage } from '../read/page-features.ts';
import { CANDIDATE_FROM, scoreFormAs } from '../recognise/recognise-use-cases.ts';
import { siteWords } from '../recognise/table/words.ts';
import type { ClickTarget, FormField, SignIn } from '../use-case-evidence.ts';

type SecretSummary = ProjectSecrets['list'][number];

const passwordWords = /pass(word|phrase|wort)?|pwd|kennwort|secret_?key$|\bpin\b/i;
const continueWords = /^\W*(next|continue|proceed|go on|weiter|suivant|continuer|siguiente|continuar)\b/i;
const userNameWords = /user(_?name)?|e-?mail|login|account|benutzer|_id$/i;

/** Which of the project's secrets open a login form: a user's name and a password, of the same user where there are several. */
export function chooseCredentials(
  secrets: readonly SecretSummary[],
): { username: string; password: string } | undefined {
  const said = ({ name, description }: SecretSummary) => `${name} ${description ?? ''}`;
  const passwords = secrets.filter(({ name }) => passwordWords.test(name));
  const described = secrets.filter(
    (secret) =>
      !passwordWords.test(secret.name) && passwordWords.test(said(secret)) && !userNameWords.test(secret.name),
  );
  const users = secrets.filter(
    (secret) => !passwordWords.test(secret.name) && userNameWords.test(said(secret)) && !described.includes(secret),
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

/** What a login needs of a page that has a form for it. */
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

/** A form that asks who somebody is, and for nothing else: the password may be asked for on the page that follows. */
export type UsernameForm = Pick<SignIn, 'url' | 'username'> & { next: ClickTarget | null };

export function findUsernameForm(page: RecordedPage): UsernameForm | undefined {
  for (const facts of formsOnPage(page)) {
    const [username, ...others] = facts.shown;
    if (!username || leavesSite(facts) || others.length > 0 || !['text', 'email', 'tel'].includes(username.kind))
      continue;
    const said = `${facts.submitWords} ${facts.pageWords}`;
    const isOwn = facts.place === 'main' || facts.place === 'dialog';
    const leadsOn = siteWords.login.test(facts.submitWords) || continueWords.test(facts.submitWords);
    const isAnother = [siteWords.newsletter, siteWords.forgotten, siteWords.signUp].some((other) => other.test(said));
    if (
      isOwn &&
      leadsOn &&
      !isAnother &&
      siteWords.login.test(said) &&
      userNameWords.test(`${username.autocomplete} ${facts.fieldWords}`)
    )
      return { url: page.state.url, username, next: facts.form.submit };
  }
  return undefined;
}

/** The rest of the form, on the page that the name led to. */
export function completeLoginForm({ url, username, next }: UsernameForm, page: RecordedPage): LoginForm | undefined {
  for (const facts of formsOnPage(page)) {
    if (leavesSite(facts)) continue;
    const { shown, form } = facts;
    const password = shown.find(({ kind }) => kind === 'password');
    if (password) return { url, username, next, password, submit: form.submit };
  }
  return undefined;
}

/** A frame may be another site's, and a form may be sent to one: nobody's password goes there. */
function leavesSite({ shown, form }: FormFeatures): boolean {
  return form.leaves || shown.some(({ ladder }) => ladder.some(({ frame = [] }) => frame.length > 0));
}

function findUsernameField({ shown }: FormFeatures): FormField | undefined {
  const texts = shown.filter(({ kind }) => ['text', 'email', 'tel'].includes(kind));
  return texts.find(({ autocomplete }) => autocomplete === 'username' || autocomplete === 'email') ?? texts[0];
}

/** What the page showed after the login was sent. */
export interface LoginAttempt {
  url: string;
  /** It still asks for a password. */
  asksForPassword: boolean;
  /** What it says is wrong. */
  message: string | undefined;
  /** It shows nothing at all: what draws it may come from another site, and was kept out. */
  isBlank: boolean;
}

/** Fills in and sends the form. Nothing that is typed is repeated anywhere. */
export async function submitLogin(
  tab: ScanTab,
  form: LoginForm,
  values: { username: string; password: string },
  { signal, send }: { signal: AbortSignal; send: AllowSending },
): Promise<LoginAttempt> {
  const page = tab.page();
  await setValue(page, settable(form.username), values.username, { signal });
  if (form.next !== undefined) await press(tab, form.next, { signal, send });
  await setValue(page, settable(form.password), values.password, { signal });
  await press(tab, form.submit, { signal, send });
  let { reading } = await tab.observe();
  if (showsPasswordField({ reading })) {
    // A page that scripts make may still be on its way.
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

/** Says who one is, where that is asked for alone. */
export async function submitUsername(
  tab: ScanTab,
  form: UsernameForm,
  username: string,
  how: { signal: AbortSignal; send: AllowSending },
): Promise<void> {
  await setValue(tab.page(), settable(form.username), username, { signal: how.signal });
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

export function showsPasswordField({ reading }: Pick<PageObservation, 'reading'>): boolean {
  return reading.controls.some(({ kind, visible }) => visible && kind === 'password');
}

function settable({ kind, label, ladder }: FormField): SettableControl {
  const own = kind === 'email' || kind === 'tel' || kind === 'password' ? kind : 'text';
  return { kind: own, name: label, ladder };
}
