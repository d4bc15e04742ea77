import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServedSite, type SiteHandler, serveSite } from '../serve.ts';
import { readLoan, readPage } from './answers.ts';
import { behaviour, redrawing } from './behaviour.ts';
import type { Answers, Drift, FormDefinition, Loan, Page, Results } from './definition.ts';
import { base, escaped, type Filled, renderLoanTable, renderPage, shell } from './render.ts';
import { suggestStates } from './states.ts';

export interface SiteOptions {
  drift?: Drift;
  /** Delay of every response. */
  delayMs?: number;
  /** The first page from which the site fails. Default 0: the first address. */
  trouble?: 'down' | 'blocking' | 'hanging';
  troubleFrom?: number;
}

/** What one visitor sent. A visitor is a session cookie, so one browser context. */
export interface FormRecord {
  session: string;
  /** Values of the accepted pages. */
  data: Answers;
  accepted: number[];
  rejected: { page: number; messages: string[] }[];
  /** The last page was accepted, and the results were computed. */
  finished: boolean;
  results?: Results;
}

export interface FormSite extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string;
  records: FormRecord[];
  requests: string[];
  /** The HTML of each page before any answer. */
  faces(): string[];
}

interface Visit {
  record: FormRecord;
  loans: Loan[];
  /** Number of pages that the visitor may open: one more than accepted. */
  reached: number;
}

type Reply = Awaited<ReturnType<SiteHandler>>;

export async function startFormSite(form: FormDefinition, options: SiteOptions): Promise<FormSite> {
  const visits = new Map<string, Visit>();
  const records: FormRecord[] = [];
  const server: ServedSite = await serveSite((path, request) => answer(path.split('?')[0] ?? '', request));
  return {
    url: server.url,
    records,
    requests: server.requests,
    faces: () => [
      landing(form).body,
      ...form.pages.map((page) => (form.manner === 'redraw' ? redrawnForm(form, page) : renderPage(form, page))),
      form.noticeAfter === undefined ? '' : notice(form),
    ],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };

  function visitOf(request: IncomingMessage): { visit: Visit; cookie?: string } {
    const session = /(?:^|; )session=([0-9a-f-]+)/.exec(request.headers.cookie ?? '')?.[1];
    const known = session === undefined ? undefined : visits.get(session);
    if (known) return { visit: known };
    const fresh = randomUUID();
    const record: FormRecord = { session: fresh, data: {}, accepted: [], rejected: [], finished: false };
    const visit: Visit = { record, loans: [], reached: 1 };
    visits.set(fresh, visit);
    records.push(record);
    return { visit, cookie: `session=${fresh}; Path=/; HttpOnly; SameSite=Lax` };
  }

  async function answer(path: string, request: IncomingMessage): Promise<Reply> {
    if (path === `${base(form)}/places`) return suggestions(request);
    const number = form.pages.findIndex((page) => path === page.path || path === `${page.path}/loans`) + 1;
    if (number >= (options.troubleFrom ?? 0)) {
      if (options.trouble === 'down') throw new Error('the site is down');
      if (options.trouble === 'hanging') return new Promise(() => {});
      if (options.trouble === 'blocking') return { status: 403, body: blocked };
    }
    const { visit, cookie } = visitOf(request);
    const page = form.pages[number - 1];
    const reply = page ? await atPage(page, number, path, request, visit) : elsewhere(path, visit);
    if (reply === undefined) return undefined;
    if (options.delayMs && reply.status !== 303) await delay(options.delayMs);
    return { ...reply, headers: { ...reply.headers, ...(cookie && { 'set-cookie': cookie }) } };
  }

  function suggestions(request: IncomingMessage): Reply {
    const text = new URL(request.url ?? '/', 'http://localhost').searchParams.get('q') ?? '';
    return { type: 'application/json', body: JSON.stringify(suggestStates(text)) };
  }

  /** Pages without questions: landing, notice, results, and the page around a frame. */
  function elsewhere(path: string, visit: Visit): Answered | undefined {
    if (path === form.frame?.path) return document(form.frame.title, framed(form));
    if (path === form.landing?.path || path === '/') return landing(form);
    if (path === noticePath(form)) return document('Before you continue', notice(form));
    if (path === form.results.path && visit.record.results)
      return document(form.results.title, results(visit.record.results));
    return path.startsWith(`${base(form)}/`) ? redirect(home(form)) : undefined;
  }

  function document(title: string, content: string, status = 200): Answered {
    return { status, body: shell(form, title, content, behaviour) };
  }

  async function atPage(
    page: Page,
    number: number,
    path: string,
    request: IncomingMessage,
    visit: Visit,
  ): Promise<Answered> {
    if (number > visit.reached) return redirect(home(form));
    if (path.endsWith('/loans')) return loanAnswer(page, await bodyOf(request), visit);
    if (request.method !== 'POST') return blank(page, visit);
    const sent = await bodyOf(request);
    const { answers, complaints } = readPage(page, sent, visit.record.data, visit.loans);
    const scripted = (request.headers.accept ?? '').includes('application/json');
    if (complaints.length > 0) {
      visit.record.rejected.push({ page: number, messages: complaints.map(({ message }) => message) });
      if (scripted) return json({ complaints, html: summaryOf(complaints.map(({ message }) => message)) });
      return document(
        `Error: ${page.title}`,
        renderPage(form, page, { sent, complaints, loans: visit.loans }),
        form.manner === 'swap' ? 200 : 422,
      );
    }
    accept(answers, number, visit);
    if (scripted) return json({ complaints: [], html: results(visit.record.results ?? {}) });
    return redirect(next(number));
  }

  function blank(page: Page, visit: Visit): Answered {
    if (form.manner === 'redraw') return { body: shell(form, page.title, redrawnForm(form, page), redrawing) };
    const filled: Filled = { sent: new URLSearchParams(), complaints: [], loans: visit.loans };
    return document(page.title, renderPage(form, page, filled));
  }

  function accept(answers: Answers, number: number, visit: Visit): void {
    const { record } = visit;
    Object.assign(record.data, answers);
    record.accepted.push(number);
    visit.reached = Math.max(visit.reached, number + 1);
    if (number < form.pages.length) return;
    record.finished = true;
    record.results = form.results.of(record.data);
  }

  function next(number: number): string {
    if (form.noticeAfter === number) return noticePath(form);
    return form.pages[number]?.path ?? form.results.path;
  }

  function loanAnswer(page: Page, sent: URLSearchParams, visit: Visit): Answered {
    const field = page.fields.find(({ kind }) => kind === 'loans');
    if (!field) return json({ complaints: ['There are no loans here.'], html: '' });
    if (sent.has('remove')) visit.loans.splice(Number(sent.get('remove')), 1);
    const { loan, complaints } = sent.has('remove') ? { loan: undefined, complaints: [] } : readLoan(sent, field);
    if (loan) visit.loans = field.row?.keep?.([...visit.loans, loan]) ?? [...visit.loans, loan];
    return json({ complaints, html: renderLoanTable(visit.loans) });
  }

  function results(found: Results): string {
    return `<h1>${escaped(form.results.title)}</h1>${form.results.render(found)}`;
  }
}

type Answered = { status?: number; type?: string; headers?: Record<string, string>; body: string };

const json = (value: unknown): Answered => ({ type: 'application/json', body: JSON.stringify(value) });
const redirect = (location: string): Answered => ({ status: 303, headers: { location }, body: '' });
const noticePath = (form: FormDefinition) => `${base(form)}/notice`;
const home = (form: FormDefinition) => form.landing?.path ?? form.pages[0]?.path ?? '/';

function landing(form: FormDefinition): Answered {
  if (!form.landing) return redirect(form.frame?.path ?? home(form));
  const { text, button } = form.landing;
  const content = `<h1>${escaped(form.service)}</h1><p>${escaped(text)}</p>
<p><a class="primary" role="button" id="${button.id}" href="${form.pages[0]?.path}">${escaped(button.text)}</a></p>`;
  return { body: shell(form, form.service, content, behaviour) };
}

/** Has the same button as other pages, so "Continue" alone does not identify the page. */
function notice(form: FormDefinition): string {
  const after = form.noticeAfter ?? 0;
  const button = form.pages[0]?.button;
  const id = button?.id ? ` id="${button.id}"` : '';
  return `<h1>Before you continue</h1><p>Our privacy notice has changed. Please read it before you go on.</p>
<form method="get" action="${form.pages[after]?.path ?? form.results.path}"><button type="submit"${id} class="primary">${escaped(button?.text ?? 'Continue')}</button></form>`;
}

function framed(form: FormDefinition): string {
  return `${form.frame?.around ?? ''}<iframe id="application-frame" title="${escaped(form.frame?.title ?? '')}" src="${home(form)}"></iframe>`;
}

function redrawnForm({ meddlesWith }: FormDefinition, page: Page): string {
  const { fields: asked, path: action, button } = page;
  const fields = JSON.stringify({ fields: asked, action, button: button.text, meddlesWith });
  return `<h1>${escaped(page.title)}</h1><p class="intro">${escaped(page.intro ?? '')}</p><div id="root"></div>
<script type="application/json" id="fields">${fields.replaceAll('<', '\\u003c')}</script>`;
}

function summaryOf(messages: readonly string[]): string {
  const items = messages.map((message) => `<li>${escaped(message)}</li>`).join('');
  return `<div class="error-summary" role="alert"><h2>There is a problem</h2><ul>${items}</ul></div>`;
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

const blocked = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Access denied</title></head><body>
<h1>Access denied</h1><p>Please verify you are human. Complete the CAPTCHA below to continue.</p>
<div class="captcha" role="img" aria-label="CAPTCHA challenge"></div><p>Reference: 18.5f2c1e.1700000000</p></body></html>`;
