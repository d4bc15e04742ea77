import { action } from '../../../../test/corpus/page-client.js';
import './jquery-global.js';
import 'jquery-steps/build/jquery.steps.js';
import 'jquery-validation';

const $ = window.jQuery;
$('#app').html(`<form id="form" method="post" action="${action}" novalidate><div>
  <h3>You</h3><section><label for="name">Full name</label><input id="name" name="name" required></section>
  <h3>Contact</h3><section><label for="email">Email address</label><input id="email" name="email" type="email" required></section>
  <h3>Order</h3><section><label for="amount">Amount</label><input id="amount" name="amount"></section></div></form>`);
const form = $('#form').validate();
$('#form > div').steps({
  headerTag: 'h3',
  bodyTag: 'section',
  onStepChanging: () => form.form(),
  onFinished: () => $('#form').trigger('submit'),
});
