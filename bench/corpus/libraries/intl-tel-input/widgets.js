import { record } from '../../../../test/corpus/page-client.js';
import 'intl-tel-input/styles';
import intlTelInput from 'intl-tel-input/intlTelInputWithUtils';

document.getElementById('app').innerHTML =
  '<p data-widget="phone"><label for="phone">Phone</label><input id="phone" type="tel"></p>';
const phone = intlTelInput(document.getElementById('phone'), { initialCountry: 'us' });
record(() => ({ phone: phone.getNumber() }));
