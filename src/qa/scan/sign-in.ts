import { type SettableControl, setValue } from '../../platform/page/act/set-value.ts';
import { findByLadder } from '../../platform/page/locate/element-finder.ts';
import { actAndSettle } from '../../platform/page/settle/settle.ts';
import type { ProjectSecrets } from '../secrets/project-secrets.ts';
import type { Clickable, FormField, SignIn } from './evidence.ts';
import { type FormFacts, formsOn, type SeenPage } from './facts.ts';
import type { Send } from './guarded-context.ts';
import { CANDIDATE_FROM, scoreAs } from './recognise.ts';
import type { Look, Tab } from './visit.ts';
import { words } from './words.ts';

type SecretFacts = ProjectSecrets['list'][number];

const passwordNames = /pass(word|phrase|wort)?|pwd|kennwort|secret_?key$|\bpin\b/i;
const onwards = /^\W*(next|continue|proceed|go on|weiter|suivant|continuer|siguiente|continuar)\b/i;
const userNames = /user(_?name)?|e-?mail|login|account|benutzer|_id$/i;

/** Which of the project's secrets open a login form: a user's name and a password, of the same user where there are several. */
export function credentialsAmong(secrets: readonly SecretFacts[]): { username: string; password: string } | undefined {
  const said = ({ name, description }: SecretFacts) => `${name} ${description ?? ''}`;
  const passwords = secrets.filter(({ name }) => passwordNames.test(name));
  const described = secrets.filter(
    (secret) => !passwordNames.test(secret.name) && passwordNames.test(said(secret)) && !userNames.test(secret.name),
  );
  const users = secrets.filter(
    (secret) => !passwordNames.test(secret.name) && userNames.test(said(secret)) && !described.includes(secret),
  );
  const pairs = [...passwords, ...described].flatMap((password) =>
    users.map((user) => ({
      username: user.name,
      password: password.name,
      alike: commonStart(user.name, password.name),
    })),
  );
  const [best] = pairs.sort((a, b) => b.alike - a.alike);
  return best && { username: best.username, password: best.password };
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** What a login needs of a page that has a form for it. */
export type LoginForm = Pick<SignIn, 'url' | 'username' | 'next' | 'password' | 'submit'>;

export function loginFormOn(page: SeenPage): LoginForm | undefined {
  for (const facts of formsOn(page)) {
    if (isElsewhere(facts) || scoreAs('login', facts) < CANDIDATE_FROM) continue;
    const password = facts.shown.find(({ kind }) => kind === 'password');
    const username = usernameIn(facts);
    if (username && password) return { url: page.state.url, username, password, submit: facts.form.submit };
  }
  return undefined;
}

/** A form that asks who somebody is, and for nothing else: the password may be asked for on the page that follows. */
export type NameForm = Pick<SignIn, 'url' | 'username'> & { next: Clickable | null };

export function nameFormOn(page: SeenPage): NameForm | undefined {
  for (const facts of formsOn(page)) {
    const [username, ...others] = facts.shown;
    if (!username || isElsewhere(facts) || others.length > 0 || !['text', 'email', 'tel'].includes(username.kind))
      continue;
    const said = `${facts.submitWords} ${facts.pageWords}`;
    const isOwn = facts.place === 'main' || facts.place === 'dialog';
    const leadsOn = words.login.test(facts.submitWords) || onwards.test(facts.submitWords);
    const isAnother = [words.newsletter, words.forgotten, words.signUp].some((other) => other.test(said));
    if (
      isOwn &&
      leadsOn &&
      !isAnother &&
      words.login.test(said) &&
      userNames.test(`${username.autocomplete} ${facts.fieldWords}`)
    )
      return { url: page.state.url, username, next: facts.form.submit };
  }
  return undefined;
}

/** The rest of the form, on the page that the name led to. */
export function passwordAfter({ url, username, next }: NameForm, page: SeenPage): LoginForm | undefined {
  for (const facts of formsOn(page)) {
    if (isElsewhere(facts)) continue;
    const { shown, form } = facts;
    const password = shown.find(({ kind }) => kind === 'password');
    if (password) return { url, username, next, password, submit: form.submit };
  }
  return undefined;
}

/** A frame may be another site's, and a form may be sent to one: nobody's password goes there. */
function isElsewhere({ shown, form }: FormFacts): boolean {
  return form.leaves || shown.some(({ ladder }) => ladder.some(({ frame = [] }) => frame.length > 0));
}

function usernameIn({ shown }: FormFacts): FormField | undefined {
  const texts = shown.filter(({ kind }) => ['text', 'email', 'tel'].includes(kind));
  return texts.find(({ autocomplete }) => autocomplete === 'username' || autocomplete === 'email') ?? texts[0];
}

/** What the page showed after the login was sent. */
export interface Attempt {
  url: string;
  /** It still asks for a password. */
  isAsked: boolean;
  /** What it says is wrong. */
  said: string | undefined;
  /** It shows nothing at all: what draws it may come from another site, and was kept out. */
  isBlank: boolean;
}

/** Fills in and sends the form. Nothing that is typed is repeated anywhere. */
export async function signInWith(
  tab: Tab,
  form: LoginForm,
  values: { username: string; password: string },
  { signal, send }: { signal: AbortSignal; send: Send },
): Promise<Attempt> {
  const page = tab.page();
  await setValue(page, settable(form.username), values.username, { signal });
  if (form.next !== undefined) await press(tab, form.next, { signal, send });
  await setValue(page, settable(form.password), values.password, { signal });
  await press(tab, form.submit, { signal, send });
  let { reading } = await tab.look();
  if (asksForPassword({ reading })) {
    // A page that scripts make may still be on its way.
    await send(() => actAndSettle(page, async () => {}, { quietMs: 700, timeoutMs: 5_000, signal }));
    ({ reading } = await tab.look());
  }
  return {
    url: page.url(),
    isAsked: asksForPassword({ reading }),
    said: reading.errors[0]?.text,
    isBlank: reading.controls.length === 0,
  };
}

/** Says who one is, where that is asked for alone. */
export async function giveName(
  tab: Tab,
  form: NameForm,
  username: string,
  how: { signal: AbortSignal; send: Send },
): Promise<void> {
  await setValue(tab.page(), settable(form.username), username, { signal: how.signal });
  await press(tab, form.next, how);
}

async function press(
  tab: Tab,
  button: Clickable | null,
  { signal, send }: { signal: AbortSignal; send: Send },
): Promise<void> {
  const page = tab.page();
  const act = async () => {
    if (!button) return page.keyboard.press('Enter');
    const { locator } = await findByLadder(page, button.ladder, {}, { signal });
    return locator.click();
  };
  await send(() => actAndSettle(page, act, { timeoutMs: 15_000, signal }));
}

export function asksForPassword({ reading }: Pick<Look, 'reading'>): boolean {
  return reading.controls.some(({ kind, visible }) => visible && kind === 'password');
}

function settable({ kind, label, ladder }: FormField): SettableControl {
  const own = kind === 'email' || kind === 'tel' || kind === 'password' ? kind : 'text';
  return { kind: own, name: label, ladder };
}
