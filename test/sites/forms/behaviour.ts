/** The scripts of the pages. All listeners are on the document, so that they survive a swapped page. */
export const behaviour = `
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Conditional questions: shown, and sent, only after the answer that they depend on.
  function valueOf(name) {
    const inputs = [...document.getElementsByName(name)].filter((input) => !input.disabled);
    const input = inputs.find((each) => (each.type === 'radio' || each.type === 'checkbox' ? each.checked : true));
    return input ? input.value : '';
  }
  function refresh() {
    for (const question of all('[data-when]')) {
      const value = valueOf(question.dataset.when);
      const shown = question.dataset.is === undefined ? value !== '' : value === question.dataset.is;
      question.hidden = !shown;
      for (const input of all('input, select, textarea', question)) input.disabled = !shown;
    }
  }
  document.addEventListener('change', (event) => {
    const ticked = event.target;
    if (ticked.type === 'checkbox' && ticked.checked) {
      for (const other of all('input[type=checkbox]', ticked.closest('fieldset')))
        if (other !== ticked && ('alone' in ticked.dataset || 'alone' in other.dataset)) other.checked = false;
    }
    refresh();
  });

  // Amounts get their commas when they are left.
  document.addEventListener('focusout', ({ target }) => {
    if (target.dataset && 'money' in target.dataset && /^[0-9]+$/.test(target.value))
      target.value = Number(target.value).toLocaleString('en-US');
  });

  // Suggestions come from the server, a little after typing stopped. Only a chosen one counts.
  let waiting;
  let asked = 0;
  const listOf = (input) => input.parentElement.querySelector('[role=listbox]');
  const storeOf = (input) => input.parentElement.querySelector('input[type=hidden]');
  function close(input) {
    listOf(input).hidden = true;
    input.setAttribute('aria-expanded', 'false');
  }
  function choose(input, option) {
    input.value = option.textContent;
    storeOf(input).value = option.textContent;
    close(input);
    refresh();
  }
  async function suggest(input, number) {
    const answer = await fetch(input.parentElement.dataset.typeahead + '?q=' + encodeURIComponent(input.value));
    const names = await answer.json();
    if (number !== asked) return;
    const list = listOf(input);
    list.replaceChildren(...names.map((name, index) => {
      const item = document.createElement('li');
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', String(index === 0));
      item.textContent = name;
      return item;
    }));
    list.hidden = names.length === 0;
    input.setAttribute('aria-expanded', String(names.length > 0));
  }
  document.addEventListener('input', ({ target }) => {
    if (target.getAttribute('role') !== 'combobox') return;
    storeOf(target).value = '';
    refresh();
    clearTimeout(waiting);
    const number = ++asked;
    waiting = setTimeout(() => void suggest(target, number), 50);
  });
  document.addEventListener('mousedown', (event) => {
    const option = event.target.closest('[role=option]');
    if (!option) return;
    event.preventDefault();
    choose(option.closest('.typeahead').querySelector('[role=combobox]'), option);
  });
  document.addEventListener('keydown', (event) => {
    const input = event.target;
    if (!input.getAttribute || input.getAttribute('role') !== 'combobox' || listOf(input).hidden) return;
    const options = all('[role=option]', listOf(input));
    const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(input, options[at]);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const next = (at + (event.key === 'ArrowDown' ? 1 : options.length - 1)) % options.length;
      options.forEach((option, index) => option.setAttribute('aria-selected', String(index === next)));
    } else if (event.key === 'Escape') close(input);
  });

  // The next page is fetched and swapped in.
  function swapIn(text, url) {
    const next = new DOMParser().parseFromString(text, 'text/html');
    document.querySelector('main').replaceWith(next.querySelector('main'));
    document.title = next.title;
    if (url) history.pushState(null, '', url);
    refresh();
  }
  const send = (action, form) =>
    fetch(action, { method: 'POST', body: new URLSearchParams(new FormData(form)), headers: { accept: form.dataset.manner === 'script' ? 'application/json' : 'text/html' } });

  // The result is drawn below the form.
  async function draw(form) {
    const outcome = document.querySelector('#outcome');
    outcome.innerHTML = '<p class="spinner" role="status">Calculating…</p>';
    const answer = await (await send(form.action, form)).json();
    for (const input of all('[aria-invalid]', form)) input.removeAttribute('aria-invalid');
    outcome.innerHTML = answer.html;
    for (const { id } of answer.complaints) document.getElementById(id)?.setAttribute('aria-invalid', 'true');
  }
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.dataset.manner === 'script') {
      event.preventDefault();
      void draw(form);
    } else if (form.dataset.manner === 'swap') {
      event.preventDefault();
      void send(form.action, form).then(async (answer) => swapIn(await answer.text(), answer.url));
    }
  });

  // Loans are added one by one; each is kept by the server when it is saved.
  async function loanRequest(body) {
    const form = document.querySelector('[data-loan-form]');
    const answer = await (await fetch(location.pathname + '/loans', { method: 'POST', body: new URLSearchParams(body) })).json();
    form.querySelector('[data-loan-error]').textContent = answer.complaints.join(' ');
    if (answer.complaints.length > 0) return;
    document.querySelector('.loans').innerHTML = answer.html;
    form.hidden = true;
    document.querySelector('[data-add-loan]').hidden = false;
  }
  document.addEventListener('click', ({ target }) => {
    const form = document.querySelector('[data-loan-form]');
    if (!form || !target.matches('button')) return;
    if ('addLoan' in target.dataset) {
      for (const input of all('[data-loan]', form)) input.value = '';
      form.querySelector('[data-loan-error]').textContent = '';
      form.hidden = false;
      target.hidden = true;
    }
    if ('cancelLoan' in target.dataset) {
      form.hidden = true;
      document.querySelector('[data-add-loan]').hidden = false;
    }
    if ('saveLoan' in target.dataset)
      void loanRequest(Object.fromEntries(all('[data-loan]', form).map((input) => [input.dataset.loan, input.value])));
    if ('removeLoan' in target.dataset) void loanRequest({ remove: target.dataset.removeLoan });
  });

  refresh();
})();
`;

/** Changes an amount on submit: it is one more than it was before. */
export const meddling = (name: string) => `
document.addEventListener('submit', ({ target }) => {
  const input = target.elements.namedItem(${JSON.stringify(name)});
  if (input) input.value = String(Number(input.value.replaceAll(',', '')) + 1);
}, true);
`;

/**
 * A form that is redrawn from its state after every input, as frameworks do when the identity of a component changes: all
 * elements and ids are new, and the focus is lost.
 */
export const redrawing = `
(() => {
  const root = document.querySelector('#root');
  const { fields, action, button, meddlesWith } = JSON.parse(document.querySelector('#fields').textContent);
  const state = Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'checkbox' ? false : '']));
  let complaints = [];
  let drawn = 0;
  let planned = false;

  const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  function update(name, value) {
    state[name] = value;
    if (planned) return;
    planned = true;
    queueMicrotask(draw);
  }
  const grouped = (text) => (/^[0-9,]+$/.test(text) ? Number(text.replaceAll(',', '')).toLocaleString('en-US') : text);

  function control(field, id) {
    const common = { id, 'aria-invalid': complaints.some(({ key }) => key === field.key) ? 'true' : undefined };
    if (!field.optional && field.kind !== 'checkbox') common['aria-required'] = 'true';
    if (field.kind === 'select') {
      const options = [{ value: '', label: '- Select -' }, ...field.choices].map(({ value, label }) => element('option', { value }, label));
      const select = element('select', common, ...options);
      select.value = state[field.name];
      select.addEventListener('change', () => update(field.name, select.value));
      return select;
    }
    const type = field.kind === 'checkbox' ? 'checkbox' : 'text';
    const input = field.kind === 'textarea' ? element('textarea', { ...common, rows: 3 }) : element('input', { ...common, type });
    if (field.kind === 'checkbox') {
      input.checked = state[field.name];
      input.addEventListener('change', () => update(field.name, input.checked));
    } else {
      input.value = state[field.name];
      input.addEventListener('input', () => update(field.name, field.kind === 'money' ? grouped(input.value) : input.value));
    }
    return input;
  }
  function question(field, index) {
    const id = 'r' + drawn + '-' + index;
    const said = complaints.filter(({ key }) => key === field.key).map(({ message }) => element('span', { class: 'error', id: id + '-error' }, message));
    if (field.kind === 'radios') {
      const radios = field.choices.map(({ value, label }, n) => {
        const radio = element('input', { type: 'radio', id: id + '-' + n, name: id, value });
        radio.checked = state[field.name] === value;
        radio.addEventListener('change', () => update(field.name, value));
        return element('div', {}, radio, ' ', element('label', { for: id + '-' + n }, label));
      });
      return element('div', { class: 'question' }, element('fieldset', { 'aria-required': 'true', role: 'radiogroup' }, element('legend', {}, field.label), ...said, ...radios));
    }
    const label = element('label', { for: id }, field.label);
    const input = control(field, id);
    return element('div', { class: 'question field' }, ...(field.kind === 'checkbox' ? [input, label] : [label, ...said, input]));
  }
  function draw() {
    planned = false;
    drawn++;
    const form = element('form', { novalidate: '' }, ...fields.map(question), element('button', { type: 'submit', class: 'primary' }, button));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send();
    });
    const top = complaints.length > 0 ? [element('div', { class: 'error-summary', role: 'alert' }, element('h2', {}, 'There is a problem'), element('ul', {}, ...complaints.map(({ message }) => element('li', {}, message))))] : [];
    root.replaceChildren(...top, form);
  }
  async function send() {
    const body = new URLSearchParams();
    if (meddlesWith) state[meddlesWith] = String(Number(state[meddlesWith].replaceAll(',', '')) + 1);
    for (const [name, value] of Object.entries(state)) if (value !== false) body.set(name, value === true ? 'on' : value);
    const answer = await (await fetch(action, { method: 'POST', body, headers: { accept: 'application/json' } })).json();
    complaints = answer.complaints;
    if (complaints.length > 0) return draw();
    document.querySelector('main').innerHTML = answer.html;
  }
  draw();
})();
`;
