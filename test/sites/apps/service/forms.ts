import { html, type Markup } from '../../../../src/web/html.ts';
import { fields, isEmail, problem } from '../app.ts';
import { page } from './layout.ts';
import type { ServiceRoutes, ServiceSession, ServiceSite } from './service.ts';
import { offices } from './words.ts';

/** Forms of residents: an application, questions, appointments. */
export function formRoutes(site: ServiceSite): ServiceRoutes {
  return {
    'GET /contact': ({ session }) => contactPage(site, session, new Map(), new Map()),
    'POST /contact': ({ session, form }) => {
      if (site.has('contact-fails')) return { status: 500, body: 'Internal error' };
      const errors = new Map<string, string>();
      if (!form.get('name')) errors.set('name', 'Please give your name.');
      if (!isEmail(form.get('email') ?? '')) errors.set('email', 'Please give a valid email address.');
      if ((form.get('message') ?? '').length < leastOf(site))
        errors.set('message', 'Please write at least 20 characters.');
      if (errors.size > 0) return contactPage(site, session, form, errors);
      site.messages.push(form.get('message') ?? '');
      return page(
        session,
        '/contact',
        'Thank you',
        html`<p class="ok" role="status">We have received your message.</p>`,
      );
    },
    'POST /news/subscribe': ({ session, form }) => {
      const email = form.get('email') ?? '';
      const isGood = site.has('newsletter-accepts-anything') || isEmail(email);
      if (isGood) site.subscribers.add(email);
      return page(
        session,
        '/news',
        isGood ? 'Subscribed' : 'Not subscribed',
        isGood
          ? html`<p class="ok" role="status">You will hear from us.</p>`
          : html`<p class="err" role="alert">This is no email address.</p>`,
      );
    },
    'POST /help/useful': ({ session, form }) => {
      site.useful.push(form.get('useful') ?? '');
      return page(session, '/help', 'Thank you', html`<p class="ok" role="status">Thank you for your feedback.</p>`);
    },
    'GET /status': ({ session, query }) => {
      const reference = query.get('reference') ?? '';
      const found = site.applications.get(reference);
      const status = site.has('status-always-received') ? 'received' : found?.status;
      return page(
        session,
        '/status',
        'Application status',
        html`<form action="/status"><div class="q"><label for="ref">Reference number</label><input id="ref" name="reference" placeholder="HS-0000" pattern="HS-\\d{4}" required value="${reference}"></div><button>Check status</button></form>${reference !== '' && html`<p role="status">${found ? `Your application ${reference} is ${status}.` : `There is no application ${reference}.`}</p>`}`,
      );
    },
    'GET /appointments': ({ session }) => page(session, '/appointments', 'Book an appointment', bookingForm()),
    'POST /appointments': ({ session, form }) => {
      const missing = ['office', 'day', 'slot', 'name'].filter((name) => !form.get(name));
      if (missing.length > 0)
        return page(
          session,
          '/appointments',
          'Book an appointment',
          bookingForm(`Please fill in: ${missing.join(', ')}.`),
        );
      site.appointments.push(`${form.get('day')} ${form.get('slot')}`);
      return page(
        session,
        '/appointments',
        'Appointment booked',
        html`<p class="ok" role="status">See you on ${form.get('day')} at ${form.get('slot')}.</p>`,
      );
    },
    'GET /apply': ({ session }) => page(session, '/apply', 'Apply for housing support', application(site)),
    'POST /apply': ({ session, form }) => {
      const needed = [
        'given',
        'family',
        'birth',
        'household',
        ...(site.has('application-skips-income') ? [] : ['income']),
      ];
      const missing = needed.filter((name) => !form.get(name));
      if (missing.length > 0)
        return page(
          session,
          '/apply',
          'Apply for housing support',
          html`<p class="err" role="alert">Still missing: ${missing.join(', ')}.</p>${application(site)}`,
        );
      const reference = `HS-${1001 + site.applications.size}`;
      site.applications.set(reference, { name: `${form.get('given')} ${form.get('family')}`, status: 'received' });
      return page(
        session,
        '/apply',
        'Application received',
        html`<p class="ok" role="status">Your reference number is ${reference}.</p>`,
      );
    },
  };
}

function leastOf(site: ServiceSite): number {
  return site.has('short-message-accepted') ? 1 : 20;
}

function contactPage(
  site: ServiceSite,
  session: ServiceSession,
  form: Map<string, string>,
  errors: Map<string, string>,
): Markup {
  return page(
    session,
    '/contact',
    'Contact',
    html`<p>Call 115, or write to us.</p><form method="post" action="/contact" novalidate>${fields(
      html`<div class="q"><label for="n">Full name</label><input id="n" name="name" required value="${form.get('name') ?? ''}">${problem(errors, 'name')}</div>`,
      html`<div class="q"><label for="e">Email address</label><input id="e" type="email" name="email" required value="${form.get('email') ?? ''}">${problem(errors, 'email')}</div>`,
      html`<div class="q"><label for="t">What is it about?</label><select id="t" name="topic"><option>Housing</option><option>Family</option><option>Other</option></select></div>`,
      html`<div class="q"><label for="m">Message</label><textarea id="m" name="message" required minlength="${leastOf(site)}">${form.get('message') ?? ''}</textarea>${problem(errors, 'message')}</div>`,
    )}<button>Send message</button></form>`,
  );
}

function bookingForm(error?: string): Markup {
  return html`<form method="post" action="/appointments">${error !== undefined && html`<p class="err" role="alert">${error}</p>`}${fields(
    html`<div class="q"><label for="o">Office</label><select id="o" name="office" required><option value="">Please choose</option>${offices.map(({ name }) => html`<option>${name}</option>`)}</select></div>`,
    html`<div class="q"><label for="d">Day</label><input id="d" type="date" name="day" min="2026-01-01" max="2036-12-31" required></div>`,
    html`<fieldset><legend>Time</legend>${['09:00', '11:00', '14:00'].map((slot) => html`<label><input type="radio" name="slot" value="${slot}" required> ${slot}</label> `)}</fieldset>`,
    html`<div class="q"><label for="bn">Full name</label><input id="bn" name="name" autocomplete="name" required></div>`,
  )}<button>Book appointment</button></form>`;
}

/** Four steps in one page, shown by a script. The income step can be skipped. */
function application(site: ServiceSite): Markup {
  return html`<p data-where>Step 1 of 4: About you</p><form method="post" action="/apply" data-steps>
<fieldset data-name="About you"><legend>About you</legend>${fields(
    html`<div class="q"><label for="g">First name</label><input id="g" name="given" autocomplete="given-name" required></div>`,
    html`<div class="q"><label for="fa">Family name</label><input id="fa" name="family" autocomplete="family-name" required></div>`,
    html`<div class="q"><label for="b">Date of birth</label><input id="b" type="date" name="birth" autocomplete="bday" max="2010-12-31" required></div>`,
  )}</fieldset>
<fieldset data-name="Household" hidden><legend>Household</legend><div class="q"><label for="h">People in your household</label><input id="h" type="number" name="household" min="1" max="12" required></div></fieldset>
<fieldset data-name="Income" hidden${site.has('application-skips-income') && ' data-skip'}><legend>Income</legend><div class="q"><label for="i">Monthly income in euros</label><input id="i" type="number" name="income" min="0" max="20000"></div></fieldset>
<fieldset data-name="Check and send" hidden><legend>Check and send</legend><label><input type="checkbox" name="true" value="yes" required> What I wrote is true</label></fieldset>
<p><button type="button" data-back hidden>Back</button> <button type="button" data-next>Continue</button> <button data-send hidden>Send application</button></p></form><script>
const form = document.querySelector('[data-steps]');
const steps = [...form.querySelectorAll('fieldset')];
let at = 0;
const show = () => {
  steps.forEach((step, index) => { step.hidden = index !== at; });
  document.querySelector('[data-where]').textContent = 'Step ' + (at + 1) + ' of ' + steps.length + ': ' + steps[at].dataset.name;
  form.querySelector('[data-back]').hidden = at === 0;
  form.querySelector('[data-next]').hidden = at === steps.length - 1;
  form.querySelector('[data-send]').hidden = at !== steps.length - 1;
};
const go = (by) => { do at += by; while (steps[at].hasAttribute('data-skip')); show(); };
form.querySelector('[data-next]').addEventListener('click', () => {
  if ([...steps[at].elements].every((element) => element.reportValidity())) go(1);
});
form.querySelector('[data-back]').addEventListener('click', () => go(-1));
</script>`;
}
