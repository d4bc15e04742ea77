import IMask from 'imask';
import { record } from '../../../../test/corpus/page-client.js';

document.getElementById('app').innerHTML = ['phone', 'amount', 'code']
  .map((name) => `<p data-widget="${name}"><label>Your ${name} <input id="${name}"></label></p>`)
  .join('');
const masked = (name, options) => IMask(document.getElementById(name), options);
const phone = masked('phone', { mask: '(000) 000-0000' });
const amount = masked('amount', { mask: Number, scale: 2, thousandsSeparator: ',', radix: '.' });
const code = masked('code', { mask: 'aa-000' });
record(() => ({ phone: phone.value, amount: amount.typedValue, code: code.value }));
