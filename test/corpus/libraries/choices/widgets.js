import { record } from '../../page-client.js';
import 'choices.js/public/assets/styles/choices.css';
import Choices from 'choices.js';

document.getElementById('app').innerHTML = `
<div data-widget="single"><label for="single">Fruit</label><select id="single"><option value="">Pick</option><option value="a">Apple</option><option value="b">Banana</option></select></div>
<div data-widget="multiple"><label for="multiple">Colours</label><select id="multiple" multiple><option value="r">Red</option><option value="g">Green</option><option value="b">Blue</option></select></div>
<div data-widget="text"><label for="text">Words</label><input id="text" type="text"></div>`;
const choices = ['single', 'multiple', 'text'].map((name) => [
  name,
  new Choices(`#${name}`, { shouldSort: false, removeItemButton: name !== 'single' }),
]);
record(() => Object.fromEntries(choices.map(([name, choice]) => [name, choice.getValue(true)])));
