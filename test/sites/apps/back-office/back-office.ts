import { html } from '../../../../src/web/html.ts';
import { type App, type AppOptions, type Routes, redirect, startApp } from '../app.ts';
import { customerRoutes } from './customers.ts';
import { gold } from './gold.ts';
import { loginPage, page } from './layout.ts';
import { officeRoutes } from './office.ts';

/** Defects of the back office. */
export const backOfficeDefects = [
  'create-loses-phone',
  'edit-not-saved',
  'delete-does-nothing',
  'sort-by-name-wrong',
  'pages-repeat',
  'bad-email-accepted',
  'import-refuses-csv',
  'settings-not-saved',
  'search-finds-nothing',
  'role-not-changed',
] as const;
export type BackOfficeDefect = (typeof backOfficeDefects)[number];

export interface Customer {
  id: number;
  name: string;
  email: string;
  phone: string;
  status: 'active' | 'inactive' | 'lead';
  notes: string[];
}

export interface OfficeUser {
  id: number;
  user: string;
  password: string;
  name: string;
  role: 'admin' | 'editor' | 'viewer';
}

export interface OfficeSession {
  user: OfficeUser | undefined;
  flash: string | undefined;
}

export interface Office {
  customers: Map<number, Customer>;
  /** A customer number that was never used before. */
  newId(): number;
  users: Map<number, OfficeUser>;
  settings: Map<string, string>;
  has(defect: BackOfficeDefect): boolean;
}

export type OfficeRoutes = Routes<OfficeSession>;

const credentials = { username: 'rosa', password: 'ledger-Secret-42' };
const first = ['Ada', 'Ben', 'Cleo', 'Dana', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'June'];
const last = ['Ashby', 'Brook', 'Carver', 'Dell'];
const states = ['active', 'inactive', 'lead'] as const;

export function startBackOffice(options: AppOptions<BackOfficeDefect> = {}): Promise<App> {
  const broken = new Set(options.defects);
  const customers = Array.from({ length: 37 }, (_, index): [number, Customer] => {
    const name = `${first[(index * 7) % 10]} ${last[index % 4]}`;
    const email = `${name.toLowerCase().replace(' ', '.')}${index}@example.net`;
    const status = states[index % 3] ?? 'lead';
    return [index + 1, { id: index + 1, name, email, phone: `+44 20 7946 0${100 + index}`, status, notes: [] }];
  });
  let lastId = customers.length;
  const office: Office = {
    customers: new Map(customers),
    newId: () => ++lastId,
    users: new Map([
      [1, { id: 1, user: credentials.username, password: credentials.password, name: 'Rosa Admin', role: 'admin' }],
      [2, { id: 2, user: 'viktor', password: 'viktor-pass-1', name: 'Viktor View', role: 'viewer' }],
      [3, { id: 3, user: 'edda', password: 'edda-pass-1', name: 'Edda Edit', role: 'editor' }],
    ]),
    settings: new Map([
      ['company', 'Ledger Ltd'],
      ['zone', 'Europe/London'],
      ['digest', 'yes'],
    ]),
    has: (defect) => broken.has(defect),
  };
  return startApp<OfficeSession>(
    {
      routes: { ...officeRoutes(office), ...customerRoutes(office) },
      newSession: () => ({ user: undefined, flash: undefined }),
      notFound: ({ session, path }) => page(session, path, 'Not found', html`<p>There is nothing here.</p>`),
      guard: ({ session, path }) => {
        if (session.user || path === '/login') return undefined;
        return path === '/logout' ? loginPage() : redirect('/login');
      },
      gold,
      credentials,
    },
    options,
  );
}
