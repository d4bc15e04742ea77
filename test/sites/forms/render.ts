import type { Complaint } from './answers.ts';
import { meddling } from './behaviour.ts';
import { type Choice, type Field, type FormDefinition, fieldOf, type Loan, type Page } from './definition.ts';
import { style } from './style.ts';

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The whole document around a page's content, with the banner and header that such sites have. */
export function shell(form: FormDefinition, title: string, content: string, script: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} | ${escaped(form.service)}</title>
<style>${style}</style>
</head>
<body>
<div class="banner">An official website of the fixture government. <a href="#main">Skip to main content</a></div>
<header><a class="logo" href="#">${escaped(form.service)}</a><nav aria-label="Site"><a href="#help">Help</a> <a href="#contact">Contact</a></nav></header>
<main id="main">${content}</main>
<footer><a href="#privacy">Privacy</a> <a href="#accessibility">Accessibility</a></footer>
<script>${script}${form.meddlesWith === undefined || form.manner === 'redraw' ? '' : meddling(form.meddlesWith)}</script>
</body>
</html>
`;
}

export interface Filled {
  sent: URLSearchParams;
  complaints: readonly Complaint[];
  loans: readonly Loan[];
}

const nothing: Filled = { sent: new URLSearchParams(), complaints: [], loans: [] };

export function renderPage(form: FormDefinition, page: Page, filled: Filled = nothing): string {
  const number = form.pages.indexOf(page) + 1;
  const steps = form.pages.length > 1 ? `<p class="step">Step ${number} of ${form.pages.length}</p>` : '';
  const id = page.button.id ? ` id="${page.button.id}"` : '';
  return `${steps}<h1>${escaped(page.title)}</h1>${summary(filled.complaints)}
<p class="intro">${escaped(page.intro ?? 'Answer the questions below. Required fields are marked with an asterisk.')}</p>
<form method="post" action="${page.path}" novalidate data-manner="${form.manner}">
${grouped(form, page, filled)}
<div class="actions"><button type="submit"${id} class="primary">${escaped(page.button.text)}</button></div>
</form><div id="outcome" aria-live="polite"></div>`;
}

function summary(complaints: readonly Complaint[]): string {
  if (complaints.length === 0) return '';
  const items = complaints.map(({ id, message }) => `<li><a href="#${id}">${escaped(message)}</a></li>`).join('');
  return `<div class="error-summary" role="alert" tabindex="-1"><h2>There is a problem</h2><ul>${items}</ul></div>`;
}

function grouped(form: FormDefinition, page: Page, filled: Filled): string {
  let html = '';
  let open: string | undefined;
  for (const field of page.fields) {
    if (open !== undefined && open !== field.legend) html += '</div></fieldset></div>';
    if (field.legend !== undefined && open !== field.legend) {
      const hint = field.hint ? `<span class="hint">${escaped(field.hint)}</span>` : '';
      html += `<div class="question"${when(form, field)}><fieldset><legend>${escaped(field.legend)}${star(field)}</legend>${hint}<div class="row">`;
    }
    open = field.legend;
    html += field.legend === undefined ? renderQuestion(form, field, filled) : renderInput(form, field, filled);
  }
  return open === undefined ? html : `${html}</div></fieldset></div>`;
}

function renderQuestion(form: FormDefinition, field: Field, filled: Filled): string {
  return `<div class="question"${when(form, field)}>${renderInput(form, field, filled)}</div>`;
}

const star = (field: Field) => (field.optional ? '' : ' <abbr title="required" aria-hidden="true">*</abbr>');

function when(form: FormDefinition, { showWhen }: Field): string {
  if (!showWhen) return '';
  const name = fieldOf(form.pages, showWhen.key).name;
  return ` data-when="${name}"${showWhen.is === undefined ? '' : ` data-is="${showWhen.is}"`}`;
}

function renderInput(form: FormDefinition, field: Field, filled: Filled): string {
  const complaint = filled.complaints.find(({ key }) => key === field.key);
  const error = complaint
    ? `<span class="error" id="${field.id}-error"><span class="sr-only">Error: </span>${escaped(complaint.message)}</span>`
    : '';
  const hasHint = field.hint !== undefined && field.legend === undefined;
  const describing = [hasHint ? `${field.id}-hint` : '', complaint ? `${field.id}-error` : ''].filter(Boolean);
  const state =
    (field.optional || field.kind === 'checkbox' ? '' : ' aria-required="true"') +
    (complaint ? ' aria-invalid="true"' : '') +
    (describing.length > 0 ? ` aria-describedby="${describing.join(' ')}"` : '');
  const parts = { field, error, state, value: filled.sent.get(field.name) ?? '' };
  if (field.kind === 'cards' || field.kind === 'radios') return renderRadios(parts);
  if (field.kind === 'loans') return renderLoans(field, error, filled.loans);
  if (field.kind === 'checkbox') return renderCheckbox(parts);
  const hint = hasHint ? hintOf(field) : '';
  const label = `<label for="${field.id}">${escaped(field.label)}${field.legend === undefined ? star(field) : ''}</label>`;
  return `<div class="field${complaint ? ' bad' : ''}">${label}${hint}${error}${control(form, parts)}</div>`;
}

const hintOf = ({ id, hint = '' }: Field) => `<span class="hint" id="${id}-hint">${escaped(hint)}</span>`;

interface Parts {
  field: Field;
  error: string;
  state: string;
  value: string;
}

function control(form: FormDefinition, { field, state, value }: Parts): string {
  const common = `id="${field.id}" name="${field.name}"${state}`;
  const shown = escaped(value);
  switch (field.kind) {
    case 'select': {
      const options = [{ value: '', label: '- Select -' }, ...(field.choices ?? [])].map(
        (choice) =>
          `<option value="${escaped(choice.value)}"${choice.value === value ? ' selected' : ''}>${escaped(choice.label)}</option>`,
      );
      return `<select ${common}>${options.join('')}</select>`;
    }
    case 'textarea':
      return `<textarea ${common} rows="3">${shown}</textarea>`;
    case 'money':
      return `<span class="money"><span aria-hidden="true">$</span><input type="text" inputmode="numeric" autocomplete="off" data-money ${common} value="${shown}"></span>`;
    case 'typeahead':
      return `<span class="typeahead" data-typeahead="${base(form)}/places"><input type="search" id="${field.id}" name="no-name" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="${field.id}-list" autocomplete="off" placeholder="Start typing..."${state} value="${shown}"><input type="hidden" name="${field.name}" value="${shown}"><ul role="listbox" id="${field.id}-list" aria-label="${escaped(field.label)}" hidden></ul></span>`;
    default:
      return `<input type="${field.kind}" ${common} value="${shown}">`;
  }
}

/** Everything of a form lives under the folder of its first page. */
export function base(form: FormDefinition): string {
  return `/${form.pages[0]?.path.split('/')[1] ?? ''}`;
}

function renderRadios({ field, error, state, value }: Parts): string {
  const choices = (field.choices ?? []).map((choice) =>
    field.kind === 'cards' ? card(field, choice, value) : radio(field, choice, value),
  );
  const hint = field.hint ? hintOf(field) : '';
  const legend = `<legend>${escaped(field.label)}${star(field)}</legend>`;
  return `<fieldset id="${field.id}" role="radiogroup"${state}>${legend}${hint}${error}<div class="${field.kind}">${choices.join('')}</div></fieldset>`;
}

const checked = (choice: Choice, value: string) => (choice.value === value ? ' checked' : '');

function card(field: Field, choice: Choice, value: string): string {
  const text = escaped(choice.label);
  return `<input type="radio" style="display:none" id="${choice.id}" name="${field.name}" value="${choice.value}"${checked(choice, value)}><label class="card" for="${choice.id}"><span class="sr-only">${text}</span><div aria-hidden="true">${text}</div></label>`;
}

function radio(field: Field, choice: Choice, value: string): string {
  return `<div><input type="radio" id="${choice.id}" name="${field.name}" value="${choice.value}"${checked(choice, value)}> <label for="${choice.id}">${escaped(choice.label)}</label></div>`;
}

function renderCheckbox({ field, value }: Parts): string {
  const alone = field.excludesOthers ? ' data-alone' : '';
  return `<div class="tick"><input type="checkbox" class="sr-only" id="${field.id}" name="${field.name}" value="on"${alone}${value ? ' checked' : ''}><label for="${field.id}"><span class="box" aria-hidden="true"></span>${escaped(field.label)}</label></div>`;
}

function renderLoans(field: Field, error: string, loans: readonly Loan[]): string {
  const types = [{ value: '', label: '- Select -' }, ...(field.choices ?? [])]
    .map(({ value, label }) => `<option value="${escaped(value)}">${escaped(label)}</option>`)
    .join('');
  const { row } = field;
  if (!row) return '';
  return `<div id="${field.id}" class="loans">${renderLoanTable(loans)}${error}</div>
<button type="button" id="fsa_IconLinkButton_LoanSimulatorWizardLoansAddNewLoan" class="secondary" data-add-loan>Add a Loan</button>
<div class="loan-form" data-loan-form hidden role="group" aria-label="${escaped(row.title ?? 'Add a loan')}"><p class="error" data-loan-error></p>
${rowInput(row.type, 'loan_type', (attributes) => `<select ${attributes}>${types}</select>`)}
${rowInput(row.rate, 'loan_interest_rate', (attributes) => `<input type="number" step="any" ${attributes}>`)}
${rowInput(row.more, 'more', (attributes) => `<input type="number" aria-required="true" ${attributes}>`)}
${rowInput(row.balance, 'loan_balance', (attributes) => `<input type="number" ${attributes}>`)}
<button type="button" class="secondary" data-save-loan>Save</button> <button type="button" class="link" data-cancel-loan>Cancel</button></div>`;
}

function rowInput(
  input: { id: string; label: string } | undefined,
  key: string,
  control: (attributes: string) => string,
): string {
  if (!input) return '';
  const label = `<label for="${input.id}">${escaped(input.label)}</label>`;
  return `<div class="field">${label}${control(`id="${input.id}" data-loan="${key}"`)}</div>`;
}

export function renderLoanTable(loans: readonly Loan[]): string {
  const rows = loans.map(
    (loan, index) =>
      `<tr><td>${escaped(loan.loan_type)}</td><td>${loan.loan_interest_rate}%</td><td>$${loan.loan_balance.toLocaleString('en-US')}</td><td><button type="button" class="link" id="fsa_Button_LoanSimulatorAddLoanRemove_${index}" data-remove-loan="${index}">Remove</button></td></tr>`,
  );
  return `<p class="count">You have ${loans.length} ${loans.length === 1 ? 'loan' : 'loans'}</p><table><caption class="sr-only">Your loans</caption><thead><tr><th>Loan Type</th><th>Interest Rate</th><th>Principal Balance</th><th>Action</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** A definition list of results, each value next to its label. */
export function resultList(rows: readonly (readonly [id: string, label: string, value: string])[]): string {
  return `<dl class="results">${rows
    .map(([id, label, value]) => `<div><dt>${escaped(label)}</dt><dd id="${id}">${escaped(value)}</dd></div>`)
    .join('')}</dl>`;
}

export const dollars = (amount: number) =>
  `${amount < 0 ? '-' : ''}$${Math.abs(amount).toLocaleString('en-US', { maximumFractionDigits: 0 })}`;
