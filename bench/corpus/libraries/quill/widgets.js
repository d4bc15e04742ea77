import { record } from '../../../../test/corpus/page-client.js';
import 'quill/dist/quill.snow.css';
import Quill from 'quill';

document.getElementById('app').innerHTML = '<div data-widget="text"><div id="text"></div></div>';
const editor = new Quill('#text', { theme: 'snow' });
record(() => ({ text: editor.getText().trim() }));
