import { isoDate, record } from '../../../../test/corpus/page-client.js';
import 'vuetify/styles';
import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import { createVuetify } from 'vuetify';
import * as components from 'vuetify/components';
import * as directives from 'vuetify/directives';
import template from './widgets.html';

const m = reactive({ multiple: [], slider: 0, switch: false, check: false, rating: 0 });
createApp({ template, setup: () => ({ m }) })
  .use(createVuetify({ components, directives }))
  .mount('#app');
record(() => ({ ...m, date: m.date ? isoDate(m.date) : undefined }));
