import $ from 'jquery';
import { action, redrawn } from '../../page-client.js';
import 'jquery-validation';

$('#app').html(`<h1>Order</h1><form method="post" action="${action}" novalidate>
  <p><label for="name">Full name</label> <input id="name" name="name"></p>
  <p><label for="email">Email address</label> <input id="email" name="email"></p>
  <p><label for="amount">Amount</label> <input id="amount" name="amount"></p>
  <button type="submit">Send</button></form>`);
for (const [name, value] of Object.entries(redrawn.values)) $(`#${name}`).val(value);
const rules = { name: 'required', email: { required: true, email: true }, amount: { range: [1, 100] } };
$('form').validate({ rules }).showErrors(redrawn.errors);
