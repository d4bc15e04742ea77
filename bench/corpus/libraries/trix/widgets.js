import { record } from '../../../../test/corpus/page-client.js';
import 'trix/dist/trix.css';
import 'trix';

document.getElementById('app').innerHTML =
  '<div data-widget="text"><label for="editor">Story</label><trix-editor id="editor"></trix-editor></div>';
record(() => ({ text: document.querySelector('trix-editor').editor.getDocument().toString().trim() }));
