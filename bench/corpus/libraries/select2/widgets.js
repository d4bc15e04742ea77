import { recordChanges } from '../../../../test/corpus/page-client.js';
import 'select2/dist/css/select2.css';
import './jquery-global.js';
import select2 from 'select2';

const $ = window.jQuery;
if (!$.fn.select2) select2(window, $);
const received = recordChanges();
const options =
  '<option value="de">Germany</option><option value="fr">France</option><option value="es">Spain</option>';
$('#app').html(`
<div data-widget="single"><label for="single">Country</label><select id="single" style="width:200px"><option></option>${options}</select></div>
<div data-widget="multiple"><label for="multiple">Countries</label><select id="multiple" multiple style="width:200px">${options}</select></div>
<div data-widget="tags"><label for="tags">Tags</label><select id="tags" multiple style="width:200px"></select></div>`);
$('#single').select2({ placeholder: 'Pick' });
$('#multiple').select2();
$('#tags').select2({ tags: true });
$('select').on('change', ({ target }) => received(target.id, $(target).val()));
