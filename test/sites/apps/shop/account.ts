import { html, type Markup } from '../../../../src/web/html.ts';
import { fields, isEmail, problem, redirect } from '../app.ts';
import { findProduct, money } from './goods.ts';
import { page } from './layout.ts';
import type { Account, Shop, ShopRoutes, ShopSession } from './shop.ts';

/** Sign-up, login and account pages. The cart is kept between sessions. */
export function accountRoutes(shop: Shop): ShopRoutes {
  function enter(session: ShopSession, account: Account) {
    session.user = account;
    if (session.cart.size === 0 && shop.orders.some(({ email }) => email === account.email))
      session.cart.set('earl-grey', 2);
    return redirect('/account');
  }
  return {
    'GET /account/login': ({ session }) => loginPage(session),
    'POST /account/login': ({ session, form }) => {
      const account = shop.accounts.get(form.get('email') ?? '');
      const isRight = account && (shop.has('wrong-password-accepted') || account.password === form.get('password'));
      return isRight ? enter(session, account) : loginPage(session, 'Email or password is wrong.');
    },
    'POST /account/logout': ({ session }) => {
      session.user = undefined;
      session.cart.clear();
      return redirect('/');
    },
    'GET /account/sign-up': ({ session }) => signUpPage(session, new Map(), new Map(), shop),
    'POST /account/sign-up': ({ session, form }) => {
      const email = form.get('email') ?? '';
      const password = form.get('password') ?? '';
      const errors = new Map<string, string>();
      if (!form.get('name')) errors.set('name', 'Enter your name.');
      if (!isEmail(email)) errors.set('email', 'Enter a valid email address.');
      else if (shop.accounts.has(email)) errors.set('email', 'There is an account with this address.');
      if (password.length < (shop.has('short-password-accepted') ? 1 : 8))
        errors.set('password', 'At least 8 characters.');
      if (password !== form.get('repeat')) errors.set('repeat', 'The passwords differ.');
      if (errors.size > 0) return signUpPage(session, form, errors, shop);
      const account = { email, password, name: form.get('name') ?? '', street: '', postcode: '', city: '' };
      shop.accounts.set(email, account);
      return enter(session, account);
    },
    'GET /account/forgot': ({ session }) =>
      page(
        session,
        'Forgotten password',
        html`<p>We send you a link to set a new one.</p><form method="post" action="/account/forgot"><input type="email" name="email" placeholder="Email address" autocomplete="username" required> <button class="btn">Send link</button></form>`,
      ),
    'POST /account/forgot': ({ session }) =>
      page(session, 'Look into your mail', html`<p>If there is an account, a link is on its way.</p>`),
    'GET /account': ({ session }) => {
      const { notice } = session;
      session.notice = undefined;
      return page(
        session,
        'My account',
        html`<p>Welcome, ${session.user?.name}.</p><ul><li><a href="/account/orders">Orders</a></li><li><a href="/account/profile">Profile and address</a></li></ul>`,
        notice,
      );
    },
    'GET /account/orders': ({ session }) =>
      page(
        session,
        'Your orders',
        html`<table><thead><tr><th>Order</th><th>Total</th></tr></thead><tbody>${ordersOf(shop, session).map(({ number, total }) => html`<tr><td><a href="/account/orders/${number}">${number}</a></td><td>${money(total)}</td></tr>`)}</tbody></table>`,
      ),
    'GET /account/orders/:number': ({ session, params }) => {
      const order = ordersOf(shop, session).find(({ number }) => number === params['number']);
      if (!order) return { status: 404, body: 'No such order' };
      return page(
        session,
        `Order ${order.number}`,
        html`<dl><dt>Articles</dt>${order.lines.map(({ slug, quantity }) => html`<dd>${quantity} × ${findProduct(slug)?.name}</dd>`)}<dt>Total</dt><dd>${money(order.total)}</dd></dl>`,
      );
    },
    'GET /account/profile': ({ session }) => page(session, 'Profile and address', profileMain(session)),
    'POST /account/profile': ({ session, form }) => {
      if (!session.user || !form.get('name'))
        return page(session, 'Profile and address', profileMain(session), 'Enter your name.');
      Object.assign(session.user, {
        name: form.get('name'),
        street: form.get('street') ?? '',
        postcode: form.get('postcode') ?? '',
        city: form.get('city') ?? '',
      });
      session.notice = 'Your changes were saved.';
      return redirect('/account');
    },
  };
}

function ordersOf(shop: Shop, { user }: ShopSession) {
  return shop.orders.filter(({ email }) => email === user?.email);
}

function loginPage(session: ShopSession, error?: string): Markup {
  return page(
    session,
    'Log in',
    html`<form method="post" action="/account/login" class="card">${error !== undefined && html`<p class="error" role="alert">${error}</p>`}${fields(
      html`<div class="field"><label for="l-mail">Email address</label><input id="l-mail" type="email" name="email" autocomplete="username" required></div>`,
      html`<div class="field"><label for="l-pass">Password</label><input id="l-pass" type="password" name="password" autocomplete="current-password" required></div>`,
    )}<button class="btn">Log in</button></form><p><a href="/account/forgot">Forgotten your password?</a> <a href="/account/sign-up">Create an account</a></p>`,
  );
}

function signUpPage(session: ShopSession, form: Map<string, string>, errors: Map<string, string>, shop?: Shop): Markup {
  const least = shop?.has('short-password-accepted') ? 1 : 8;
  return page(
    session,
    'Sign up',
    html`<form method="post" action="/account/sign-up" class="card">${fields(
      html`<div class="field"><label for="s-name">Full name</label><input id="s-name" name="name" autocomplete="name" required value="${form.get('name') ?? ''}">${problem(errors, 'name')}</div>`,
      html`<div class="field"><label for="s-mail">Email address</label><input id="s-mail" type="email" name="email" autocomplete="email" required value="${form.get('email') ?? ''}">${problem(errors, 'email')}</div>`,
      html`<div class="field"><label for="s-pass">Password</label><input id="s-pass" type="password" name="password" autocomplete="new-password" minlength="${least}" required>${problem(errors, 'password')}</div>`,
      html`<div class="field"><label for="s-again">Repeat the password</label><input id="s-again" type="password" name="repeat" autocomplete="new-password" required>${problem(errors, 'repeat')}</div>`,
      html`<div class="field"><label><input type="checkbox" name="terms" value="yes" required> I accept the terms</label></div>`,
    )}<button class="btn">Create account</button></form>`,
  );
}

function profileMain({ user }: ShopSession): Markup {
  return html`<form method="post" action="/account/profile">${fields(
    html`<div class="field"><label for="p-name">Full name</label><input id="p-name" name="name" autocomplete="name" required value="${user?.name ?? ''}"></div>`,
    html`<div class="field"><label for="p-street">Street and number</label><input id="p-street" name="street" autocomplete="street-address" value="${user?.street ?? ''}"></div>`,
    html`<div class="field"><label for="p-code">Postcode</label><input id="p-code" name="postcode" autocomplete="postal-code" pattern="\\d{5}" value="${user?.postcode ?? ''}"></div>`,
    html`<div class="field"><label for="p-city">City</label><input id="p-city" name="city" autocomplete="address-level2" value="${user?.city ?? ''}"></div>`,
  )}<button class="btn">Save changes</button></form>`;
}
