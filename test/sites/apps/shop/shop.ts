import { html } from '../../../../src/web/html.ts';
import { type App, type AppOptions, type Routes, redirect, startApp } from '../app.ts';
import { accountRoutes } from './account.ts';
import { cartRoutes } from './cart.ts';
import { catalogueRoutes } from './catalogue.ts';
import { gold } from './gold.ts';
import { page } from './layout.ts';
import { siteRoutes } from './site.ts';

/** Defects of the shop. */
export const shopDefects = [
  'cart-total-wrong',
  'search-finds-nothing',
  'price-filter-ignored',
  'sort-by-price-reversed',
  'second-page-empty',
  'short-password-accepted',
  'wrong-password-accepted',
  'checkout-without-postcode',
  'newsletter-fails',
  'order-not-in-history',
] as const;
export type ShopDefect = (typeof shopDefects)[number];

export interface Account {
  email: string;
  password: string;
  name: string;
  street: string;
  postcode: string;
  city: string;
}

interface Order {
  number: string;
  email: string;
  lines: { slug: string; quantity: number }[];
  total: number;
}

export interface ShopSession {
  user: Account | undefined;
  /** Quantities by product. */
  cart: Map<string, number>;
  voucher: boolean;
  checkout: Map<string, string>;
  notice: string | undefined;
}

/** State and defects of one shop instance. */
export interface Shop {
  accounts: Map<string, Account>;
  orders: Order[];
  reviews: Map<string, { stars: number; text: string }[]>;
  subscribers: Set<string>;
  messages: string[];
  has(defect: ShopDefect): boolean;
}

export type ShopRoutes = Routes<ShopSession>;

const credentials = { username: 'kim@example.org', password: 'correct-horse-7' };

export function startShop(options: AppOptions<ShopDefect> = {}): Promise<App> {
  const broken = new Set(options.defects);
  const kim = {
    email: credentials.username,
    password: credentials.password,
    name: 'Kim Example',
    street: '1 Harbour Lane',
    postcode: '10115',
    city: 'Berlin',
  };
  const shop: Shop = {
    accounts: new Map([[kim.email, kim]]),
    orders: [
      { number: '10021', email: kim.email, lines: [{ slug: 'earl-grey', quantity: 2 }], total: 2210 },
      { number: '10022', email: kim.email, lines: [{ slug: 'stone-mug', quantity: 1 }], total: 2380 },
    ],
    reviews: new Map([['earl-grey', [{ stars: 5, text: 'Every morning.' }]]]),
    subscribers: new Set(),
    messages: [],
    has: (defect) => broken.has(defect),
  };
  return startApp<ShopSession>(
    {
      routes: { ...siteRoutes(shop), ...catalogueRoutes(shop), ...cartRoutes(shop), ...accountRoutes(shop) },
      newSession: () => ({ user: undefined, cart: new Map(), voucher: false, checkout: new Map(), notice: undefined }),
      notFound: ({ session }) => page(session, 'Page not found', html`<p>There is no such page.</p>`),
      guard: ({ session, path }) =>
        /^\/(account\/(orders|profile)|account$|checkout)/.test(path) && !session.user
          ? redirect('/account/login')
          : undefined,
      gold,
      credentials,
    },
    options,
  );
}
