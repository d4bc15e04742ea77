import { type Content, html, type Markup, verbatim } from '../../../../src/web/html.ts';
import type { OfficeSession } from './back-office.ts';

const style = verbatim(`
body{font:15px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:13rem 1fr;min-height:100vh;color:#1b1f2a}
.side{background:#1b2238;color:#fff;padding:1rem}.side a{color:#cfd6ee;display:block;padding:.3rem 0}.side a[aria-current]{color:#fff;font-weight:600}
main{padding:1rem 2rem}table{border-collapse:collapse;width:100%}td,th{padding:.4rem .6rem;border-bottom:1px solid #dde;text-align:left}
.bar{display:flex;gap:1rem;align-items:center;margin:.6rem 0;flex-wrap:wrap}.btn{background:#3450c8;color:#fff;border:0;padding:.4rem .9rem;text-decoration:none}
.danger{background:#b3261e}.row{margin:.6rem 0;display:grid;gap:.2rem;max-width:26rem}.error{color:#b3261e;margin:0}.flash{background:#e4ecff;padding:.5rem}
.cards{display:flex;gap:1rem}.card{border:1px solid #dde;padding:1rem;min-width:8rem}
`);

const menu = [
  ['/', 'Dashboard'],
  ['/customers', 'Customers'],
  ['/users', 'Users'],
  ['/import', 'Import'],
  ['/settings', 'Settings'],
];

/** The frame of every page behind the login. */
export function page(session: OfficeSession, path: string, title: string, main: Content): Markup {
  const { flash } = session;
  session.flash = undefined;
  return html`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title} | Ledger</title><style>${style}</style></head><body>
<div class="side"><p><strong>Ledger</strong></p><nav>${menu.map(([to, name]) => html`<a href="${to}"${to === path && verbatim(' aria-current="page"')}>${name}</a>`)}</nav>
<hr><p>${session.user?.name} (${session.user?.role})</p><a href="/password">Change password</a><a href="/logout">Log out</a></div>
<main><h1>${title}</h1>${flash !== undefined && html`<p class="flash" role="status">${flash}</p>`}${main}</main></body></html>`;
}

/** Fields have placeholders instead of labels, as in many old applications. */
export function loginPage(error?: string): Markup {
  return html`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Ledger</title><style>${style}</style></head><body><div></div><main><h1>Ledger back office</h1>
<form method="post" action="/login">${error !== undefined && html`<p class="error" role="alert">${error}</p>`}<!--field--><div class="row"><input name="user" placeholder="User name" autocomplete="username" required></div><!--/field--><!--field--><div class="row"><input type="password" name="pass" placeholder="Password" required></div><!--/field--><label><input type="checkbox" name="stay"> Stay signed in</label> <button class="btn">Log in</button></form></main></body></html>`;
}
