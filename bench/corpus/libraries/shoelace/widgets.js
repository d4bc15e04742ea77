import { recordChanges } from '../../../../test/corpus/page-client.js';
import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace';
import markup from './widgets.html';

const received = recordChanges();
document.getElementById('app').innerHTML = markup;
document.addEventListener('sl-change', ({ target }) => {
  const isToggle = ['SL-SWITCH', 'SL-CHECKBOX'].includes(target.tagName);
  received(target.closest('[data-widget]').dataset.widget, isToggle ? target.checked : target.value);
});
