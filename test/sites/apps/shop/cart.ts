import { html, type Markup, verbatim } from '../../../../src/web/html.ts';
import { fields, problem, redirect } from '../app.ts';
import { findProduct, money } from './goods.ts';
import { page } from './layout.ts';
import type { Shop, ShopRoutes, ShopSession } from './shop.ts';

/** The cart and the three steps to an order. */
export function cartRoutes(shop: Shop): ShopRoutes {
  return {
    'POST /cart/items': ({ session, form }) => {
      const product = findProduct(form.get('slug'));
      const quantity = Number(form.get('quantity'));
      if (!product || !(quantity >= 1 && quantity <= 10)) return { status: 400, body: 'Choose between 1 and 10.' };
      session.cart.set(product.slug, (session.cart.get(product.slug) ?? 0) + quantity);
      session.notice = `${product.name} is in your cart.`;
      return redirect(`/products/${product.slug}`);
    },
    'GET /cart': ({ session }) => {
      const { notice } = session;
      session.notice = undefined;
      return page(
        session,
        'Your cart',
        session.cart.size === 0 ? html`<p>Your cart is empty.</p>` : cartMain(shop, session),
        notice,
      );
    },
    'POST /cart/quantities': ({ session, form }) => {
      for (const slug of session.cart.keys()) {
        const quantity = Number(form.get(`quantity-${slug}`));
        if (quantity >= 1 && quantity <= 10) session.cart.set(slug, quantity);
      }
      session.notice = 'The cart was updated.';
      return redirect('/cart');
    },
    'POST /cart/remove': ({ session, form }) => {
      session.cart.delete(form.get('slug') ?? '');
      return redirect('/cart');
    },
    'POST /cart/voucher': ({ session, form }) => {
      session.voucher = form.get('code') === 'WELCOME10';
      session.notice = session.voucher ? 'The voucher was applied.' : 'This voucher is not valid.';
      return redirect('/cart');
    },
    'GET /checkout': () => redirect('/checkout/delivery'),
    'GET /checkout/delivery': ({ session }) => deliveryPage(shop, session, new Map()),
    'POST /checkout/delivery': ({ session, form }) => {
      const errors = new Map<string, string>();
      const needed = ['name', 'street', 'city', ...(shop.has('checkout-without-postcode') ? [] : ['postcode'])];
      for (const name of needed) if (!form.get(name)) errors.set(name, 'This field is required.');
      if (form.get('postcode') && !/^\d{5}$/.test(form.get('postcode') ?? '')) errors.set('postcode', 'Five digits.');
      for (const [name, value] of form) session.checkout.set(name, value);
      return errors.size > 0 ? deliveryPage(shop, session, errors) : redirect('/checkout/payment');
    },
    'GET /checkout/payment': ({ session }) =>
      session.checkout.has('street') ? page(session, 'Payment', paymentMain()) : redirect('/checkout/delivery'),
    'POST /checkout/payment': ({ session, form }) => {
      session.checkout.set('payment', form.get('payment') ?? '');
      return redirect('/checkout/confirm');
    },
    'GET /checkout/confirm': ({ session }) =>
      session.checkout.has('payment')
        ? page(session, 'Check your order', confirmMain(shop, session))
        : redirect('/checkout/delivery'),
    'POST /checkout/confirm': ({ session }) => {
      const number = String(10021 + shop.orders.length);
      const lines = [...session.cart].map(([slug, quantity]) => ({ slug, quantity }));
      if (!shop.has('order-not-in-history'))
        shop.orders.push({ number, email: session.user?.email ?? '', lines, total: totalOf(shop, session) });
      session.cart.clear();
      session.checkout.clear();
      return page(
        session,
        'Thank you for your order',
        html`<p role="status">Your order number is ${number}.</p><p><a href="/account/orders">Your orders</a></p>`,
      );
    },
  };
}

function totalOf(shop: Shop, { cart, voucher }: ShopSession): number {
  const sum = [...cart].reduce((total, [slug, quantity]) => {
    const price = findProduct(slug)?.price ?? 0;
    return total + (shop.has('cart-total-wrong') ? price : price * quantity);
  }, 0);
  return voucher ? Math.round(sum * 0.9) : sum;
}

/** Each row has a button with only a cross. */
function cartMain(shop: Shop, session: ShopSession): Markup {
  return html`<form id="quantities" method="post" action="/cart/quantities"></form><table><thead><tr><th>Article</th><th>Price</th><th>Quantity</th><th></th></tr></thead><tbody>${[
    ...session.cart,
  ].map(([slug, quantity]) => {
    const product = findProduct(slug);
    return html`<tr><td><a href="/products/${slug}">${product?.name}</a></td><td>${money(product?.price ?? 0)}</td><td><input form="quantities" type="number" name="quantity-${slug}" aria-label="Quantity of ${product?.name}" min="1" max="10" value="${quantity}" required></td><td><form method="post" action="/cart/remove"><input type="hidden" name="slug" value="${slug}"><button class="x" title="Remove">×</button></form></td></tr>`;
  })}</tbody></table><p><button class="btn" form="quantities">Update cart</button></p>
<form method="post" action="/cart/voucher"><label for="code">Voucher code</label> <input id="code" name="code" required maxlength="20"> <button class="btn">Redeem</button></form>
<p class="total">Total: <strong>${money(totalOf(shop, session))}</strong></p><p><a class="btn" href="/checkout">Go to checkout</a></p>`;
}

function steps(current: number): Markup {
  return html`<ol class="steps" aria-label="Checkout steps">${['Delivery', 'Payment', 'Confirm'].map((name, index) => html`<li${index === current && verbatim(' aria-current="step"')}>${name}</li>`)}</ol><p>Step ${current + 1} of 3</p>`;
}

function deliveryPage(shop: Shop, session: ShopSession, errors: Map<string, string>): Markup {
  const { user, checkout } = session;
  const value = (name: 'name' | 'street' | 'postcode' | 'city') => checkout.get(name) ?? user?.[name] ?? '';
  const optional = shop.has('checkout-without-postcode');
  return page(
    session,
    'Delivery',
    html`${steps(0)}<form method="post" action="/checkout/delivery">${fields(
      html`<div class="field"><label for="d-name">Full name</label><input id="d-name" name="name" autocomplete="name" required value="${value('name')}">${problem(errors, 'name')}</div>`,
      html`<div class="field"><label for="d-street">Street and number</label><input id="d-street" name="street" autocomplete="street-address" required value="${value('street')}">${problem(errors, 'street')}</div>`,
      html`<div class="field"><label for="d-code">Postcode</label><input id="d-code" name="postcode" autocomplete="postal-code" pattern="\\d{5}"${!optional && verbatim(' required')} value="${value('postcode')}">${problem(errors, 'postcode')}</div>`,
      html`<div class="field"><label for="d-city">City</label><input id="d-city" name="city" autocomplete="address-level2" required value="${value('city')}">${problem(errors, 'city')}</div>`,
      html`<div class="field"><label for="d-country">Country</label><select id="d-country" name="country" autocomplete="country"><option>Germany</option><option>France</option><option>Austria</option></select></div>`,
    )}<button class="btn">Continue</button></form>`,
  );
}

function paymentMain(): Markup {
  return html`${steps(1)}<form method="post" action="/checkout/payment"><fieldset><legend>How do you want to pay?</legend><label><input type="radio" name="payment" value="invoice" required checked> Invoice</label> <label><input type="radio" name="payment" value="card"> Card on delivery</label></fieldset><button class="btn">Continue</button></form>`;
}

function confirmMain(shop: Shop, session: ShopSession): Markup {
  return html`${steps(2)}<p>${[...session.cart].map(([slug, quantity]) => `${quantity} × ${findProduct(slug)?.name}`).join(', ')}</p><p>Total: <strong>${money(totalOf(shop, session))}</strong></p><form method="post" action="/checkout/confirm"><button class="btn">Place order</button></form>`;
}
