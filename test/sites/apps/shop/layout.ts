import { type Content, html, type Markup, verbatim } from '../../../../src/web/html.ts';
import type { ShopSession } from './shop.ts';

const style = verbatim(`
body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#222;background:#fbfaf7}
header,footer{display:flex;gap:1rem;align-items:center;padding:.8rem 1.5rem;background:#2f4a3d;color:#fff;flex-wrap:wrap}
header a,footer a{color:#fff}main{max-width:60rem;margin:1rem auto;padding:0 1rem}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:1rem;padding:0;list-style:none}
.card{border:1px solid #ddd;padding:1rem;background:#fff}.field{margin:.6rem 0;display:grid;gap:.2rem;max-width:24rem}
.error{color:#a00;margin:0}.notice{background:#e5f3e8;padding:.6rem}.btn{padding:.4rem 1rem;background:#2f4a3d;color:#fff;border:0}
table{border-collapse:collapse}td,th{padding:.3rem .8rem;border-bottom:1px solid #ddd;text-align:left}.hp{display:none}
`);

/** The frame of every page. The cart is an image with a number and no text. */
export function page(session: ShopSession, title: string, main: Content, notice?: string): Markup {
  const count = session.cart.values().reduce((sum, number) => sum + number, 0);
  return html`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title} – Leaf &amp; Clay</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>
<header><a class="brand" href="/">Leaf &amp; Clay</a>
<nav aria-label="Main"><a href="/products">Catalogue</a> <a href="/products?kind=tea">Tea</a> <a href="/products?kind=coffee">Coffee</a> <a href="/products?kind=pottery">Pottery</a> <a href="/about">About us</a></nav>
<form class="search" role="search" action="/search"><input name="q" type="search" placeholder="Search products" required> <button class="btn">Search</button></form>
<a class="cart-link" href="/cart">🛒 <span>${count}</span></a>
${
  session.user
    ? html`<a href="/account">My account</a> <form method="post" action="/account/logout"><button class="btn plain">Log out</button></form>`
    : html`<a href="/account/login">Log in</a> <a href="/account/sign-up">Sign up</a>`
}</header>
<main>${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}<h1>${title}</h1>${main}</main>
<footer><form class="news" method="post" action="/newsletter"><label for="news-mail">Our newsletter, once a month</label> <input id="news-mail" type="email" name="email" placeholder="you@example.org" autocomplete="email" required> <button class="btn">Subscribe</button></form>
<a href="/contact">Contact</a> <a href="/delivery">Delivery and returns</a> <a href="/privacy">Privacy</a> <a href="https://social.example/leafandclay">Follow us</a></footer>
</body></html>`;
}
