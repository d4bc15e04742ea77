import { recordChanges } from '../../../../test/corpus/page-client.js';
import 'jquery-ui-dist/jquery-ui.css';
import './jquery-global.js';
import 'jquery-ui-dist/jquery-ui.js';

const $ = window.jQuery;
const received = recordChanges();
$('#app').html(`
<p data-widget="date"><label>Date <input id="date"></label></p>
<div data-widget="slider">Slider<div id="slider" style="width:300px"></div></div>
<p data-widget="spinner"><label>Number <input id="spinner"></label></p>
<p data-widget="autocomplete"><label>Letter <input id="autocomplete"></label></p>
<p data-widget="menu"><label for="menu">Speed</label><select id="menu"><option>Slow</option><option>Medium</option><option>Fast</option></select></p>
<fieldset data-widget="radio"><legend>Size</legend><label for="s">Small</label><input type="radio" name="size" id="s" value="s"><label for="l">Large</label><input type="radio" name="size" id="l" value="l"></fieldset>`);
const date = () => $.datepicker.formatDate('yy-mm-dd', $('#date').datepicker('getDate'));
$('#date')
  .datepicker({ onSelect: () => received('date', date()) })
  .on('change', () => received('date', date()));
$('#slider').slider({ min: 0, max: 100, step: 5, change: (_, { value }) => received('slider', value) });
$('#spinner').spinner({ min: 0, max: 99, change: () => received('spinner', $('#spinner').spinner('value')) });
$('#autocomplete').autocomplete({
  source: ['Alpha', 'Beta', 'Gamma'],
  minLength: 1,
  select: (_, { item }) => received('autocomplete', item.value),
});
$('#menu').selectmenu({ change: (_, { item }) => received('menu', item.value) });
$('input[type=radio]')
  .checkboxradio()
  .on('change', ({ target }) => received('radio', target.value));
