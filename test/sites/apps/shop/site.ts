import { html } from '../../../../src/web/html.ts';
import { fields, isEmail, problem, redirect } from '../app.ts';
import { products } from './goods.ts';
import { page } from './layout.ts';
import type { Shop, ShopRoutes, ShopSession } from './shop.ts';

/** Home page, articles, newsletter and contact form. */
export function siteRoutes(shop: Shop): ShopRoutes {
  return {
    'GET /': ({ session }) =>
      page(
        session,
        'Tea, coffee and the cups for them',
        html`<p>Hand-made pottery, fresh leaves and beans.</p><h2>New this week</h2><ul class="grid">${products
          .filter((_, index) => index % 7 === 0)
          .map(
            ({ slug, name }) => html`<li class="card"><a href="/products/${slug}">${name}</a></li>`,
          )}</ul><p><a href="/products">See everything</a></p>`,
      ),
    'GET /about': ({ session }) =>
      page(session, 'About us', html`<p>Two people and a kiln. How to search for good tea: smell it first.</p>`),
    'GET /delivery': ({ session }) =>
      page(session, 'Delivery and returns', html`<p>We deliver within two days. Payment is due on delivery.</p>`),
    'GET /privacy': ({ session }) =>
      page(
        session,
        'Privacy',
        html`<p>Your password is stored as a hash. You can delete your account by writing to us.</p>`,
      ),
    'POST /newsletter': ({ session, form }) => {
      const email = form.get('email') ?? '';
      if (shop.has('newsletter-fails')) return { status: 500, body: 'Internal error' };
      if (!isEmail(email)) return page(session, 'Newsletter', html`<p class="error">Enter a valid email address.</p>`);
      shop.subscribers.add(email);
      return page(session, 'Thank you', html`<p>We have sent a confirmation to ${email}.</p>`);
    },
    'GET /contact': ({ session }) => contactPage(session, new Map(), new Map()),
    'POST /contact': ({ session, form }) => {
      const errors = new Map<string, string>();
      if (!form.get('name')) errors.set('name', 'Enter your name.');
      if (!isEmail(form.get('email') ?? '')) errors.set('email', 'Enter a valid email address.');
      if ((form.get('message') ?? '').length < 10) errors.set('message', 'Write at least 10 characters.');
      if (errors.size > 0) return contactPage(session, form, errors);
      shop.messages.push(form.get('message') ?? '');
      return redirect('/contact/sent');
    },
    'GET /contact/sent': ({ session }) => page(session, 'Message sent', html`<p>We answer within two days.</p>`),
  };
}

/** The subject field has only a placeholder, and there is a honeypot. */
function contactPage(session: ShopSession, form: Map<string, string>, errors: Map<string, string>) {
  return page(
    session,
    'Contact',
    html`<p>Questions about an order? We are happy to help.</p><form method="post" action="/contact">${fields(
      html`<div class="field"><label for="c-name">Full name</label><input id="c-name" name="name" autocomplete="name" required value="${form.get('name') ?? ''}">${problem(errors, 'name')}</div>`,
      html`<div class="field"><label for="c-mail">Email address</label><input id="c-mail" type="email" name="email" autocomplete="email" required value="${form.get('email') ?? ''}">${problem(errors, 'email')}</div>`,
      html`<div class="field"><input name="subject" placeholder="Subject" maxlength="80"></div>`,
      html`<div class="field"><label for="c-text">Message</label><textarea id="c-text" name="message" required minlength="10" maxlength="1000">${form.get('message') ?? ''}</textarea>${problem(errors, 'message')}</div>`,
    )}<div class="hp"><label>Leave empty <input name="website" tabindex="-1"></label></div><button class="btn">Send message</button></form>`,
  );
}
