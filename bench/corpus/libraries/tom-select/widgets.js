import { recordChanges } from '../../../../test/corpus/page-client.js';
import 'tom-select/dist/css/tom-select.css';
import TomSelect from 'tom-select';

const received = recordChanges();
const options =
  '<option value="de">Germany</option><option value="fr">France</option><option value="es">Spain</option>';
document.getElementById('app').innerHTML = `
<div data-widget="single"><label for="single">Country</label><select id="single"><option value="">Pick</option>${options}</select></div>
<div data-widget="multiple"><label for="multiple">Countries</label><select id="multiple" multiple>${options}</select></div>
<div data-widget="created"><label for="created">Land</label><select id="created"><option value="">Pick</option>${options}</select></div>`;
for (const name of ['single', 'multiple', 'created'])
  new TomSelect(`#${name}`, { create: name === 'created', onChange: (value) => received(name, value) });
