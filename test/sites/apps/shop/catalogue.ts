import { html, type Markup, verbatim } from '../../../../src/web/html.ts';
import { redirect } from '../app.ts';
import { findProduct, money, type Product, products } from './goods.ts';
import { page } from './layout.ts';
import type { Shop, ShopRoutes } from './shop.ts';

const PER_PAGE = 8;
const orders: Record<string, (a: Product, b: Product) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  price: (a, b) => a.price - b.price,
  'price-desc': (a, b) => b.price - a.price,
};

/** Product lists, product pages, search. */
export function catalogueRoutes(shop: Shop): ShopRoutes {
  return {
    'GET /products': ({ session, query }) => {
      const kinds = query.getAll('kind');
      const most = shop.has('price-filter-ignored') ? 0 : Number(query.get('max') ?? 0) * 100;
      const sort = query.get('sort') ?? 'name';
      const chosen = products
        .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
        .filter(({ price }) => !most || price <= most)
        .filter(({ stock }) => !query.has('stock') || stock > 0)
        .toSorted(orders[sort] ?? orders['name']);
      if (sort === 'price' && shop.has('sort-by-price-reversed')) chosen.reverse();
      const number = Math.max(1, Number(query.get('page') ?? 1));
      const shown = chosen.slice((number - 1) * PER_PAGE, number * PER_PAGE);
      if (number > 1 && shop.has('second-page-empty')) shown.length = 0;
      return page(
        session,
        'Catalogue',
        html`${filters(query)}${sorting(query, sort)}<p role="status">${chosen.length} products</p>${list(shown)}${pages(query, number, Math.ceil(chosen.length / PER_PAGE))}`,
      );
    },
    'GET /products/:slug': ({ session, params }) => {
      const product = findProduct(params['slug']);
      if (!product) return { status: 404, body: 'No such product' };
      const { notice } = session;
      session.notice = undefined;
      return page(session, product.name, productMain(shop, product), notice);
    },
    'POST /products/:slug/reviews': ({ session, params, form }) => {
      const stars = Number(form.get('stars'));
      const text = form.get('text') ?? '';
      const slug = params['slug'] ?? '';
      if (!(stars >= 1 && stars <= 5) || text === '') session.notice = 'A review needs stars and words.';
      else {
        shop.reviews.set(slug, [...(shop.reviews.get(slug) ?? []), { stars, text }]);
        session.notice = 'Thank you for your review.';
      }
      return redirect(`/products/${slug}`);
    },
    'GET /search': ({ session, query }) => {
      const q = (query.get('q') ?? '').trim().toLowerCase();
      const found =
        shop.has('search-finds-nothing') || q === ''
          ? []
          : products.filter(({ name }) => name.toLowerCase().includes(q));
      return page(
        session,
        'Search results',
        found.length > 0
          ? html`<p role="status">${found.length} results for “${q}”</p>${list(found)}`
          : html`<p role="status">No results for “${q}”.</p>`,
      );
    },
  };
}

function list(shown: readonly Product[]): Markup {
  return html`<ul class="grid">${shown.map(
    ({ slug, name, price, stock }) =>
      html`<li class="card"><a href="/products/${slug}">${name}</a><p>${money(price)}</p>${stock === 0 && html`<p>Sold out</p>`}</li>`,
  )}</ul>`;
}

function filters(query: URLSearchParams): Markup {
  const kinds = query.getAll('kind');
  return html`<aside aria-label="Filters"><form action="/products" class="filters"><fieldset><legend>Kind</legend>${(
    ['tea', 'coffee', 'pottery'] as const
  ).map(
    (kind) =>
      html`<label><input type="checkbox" name="kind" value="${kind}"${kinds.includes(kind) && verbatim(' checked')}> ${kind}</label> `,
  )}</fieldset><label for="max">Price up to (€)</label> <input id="max" type="number" name="max" min="1" max="100" value="${query.get('max') ?? ''}"> <label><input type="checkbox" name="stock" value="1"> In stock only</label> <button class="btn">Apply filters</button></form></aside>`;
}

/** Submits itself when the sort order changes; it has no button. */
function sorting(query: URLSearchParams, sort: string): Markup {
  const option = (value: string, text: string) =>
    html`<option value="${value}"${sort === value && verbatim(' selected')}>${text}</option>`;
  return html`<form action="/products" class="sort">${query.getAll('kind').map((kind) => html`<input type="hidden" name="kind" value="${kind}">`)}<select name="sort" aria-label="Sort by" onchange="this.form.submit()">${option('name', 'Name')}${option('price', 'Price: low to high')}${option('price-desc', 'Price: high to low')}</select></form>`;
}

function pages(query: URLSearchParams, number: number, last: number): Markup {
  const to = (target: number) => {
    const next = new URLSearchParams(query);
    next.set('page', String(target));
    return `/products?${next}`;
  };
  return html`<nav aria-label="Pages" class="pages">${number > 1 && html`<a href="${to(number - 1)}">Previous</a>`} ${Array.from({ length: last }, (_, index) => index + 1).map((target) => (target === number ? html`<span aria-current="page">${target}</span> ` : html`<a href="${to(target)}">${target}</a> `))} ${number < last && html`<a href="${to(number + 1)}">Next</a>`}</nav>`;
}

function productMain(shop: Shop, { slug, name, price, stock, text }: Product): Markup {
  const reviews = shop.reviews.get(slug) ?? [];
  return html`<p><a href="/products">Back to the catalogue</a></p><p class="price">${money(price)}</p><p>${text}</p>
<form method="post" action="/cart/items" class="buy"><input type="hidden" name="slug" value="${slug}"><label for="qty">Quantity</label> <input id="qty" type="number" name="quantity" min="1" max="10" value="1" required> <button class="btn"${stock === 0 && verbatim(' disabled')}>Add to cart</button></form>
<section aria-labelledby="rev"><h2 id="rev">Reviews</h2>${reviews.map(({ stars, text: said }) => html`<blockquote>${'★'.repeat(stars)} ${said}</blockquote>`)}<form method="post" action="/products/${slug}/reviews"><label for="stars">Stars</label> <select id="stars" name="stars" required><option value="">Choose</option>${[1, 2, 3, 4, 5].map((star) => html`<option>${star}</option>`)}</select> <textarea name="text" aria-label="Your review of ${name}" required maxlength="500"></textarea> <button class="btn">Publish review</button></form></section>`;
}
