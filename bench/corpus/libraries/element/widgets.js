import { record } from '../../../../test/corpus/page-client.js';
import 'element-plus/dist/index.css';
import ElementPlus from 'element-plus';
import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import template from './widgets.html';

const m = reactive({
  ...{ text: '', select: '', multiple: [], date: '', time: '', slider: 0, switch: false, number: 1, rate: 0 },
  ...{ radio: '', check: [], autocomplete: '', cascader: [] },
});
const suggest = (_, show) => setTimeout(() => show([{ value: 'Alpha' }, { value: 'Beta' }]), 200);
const regions = [
  {
    value: 'eu',
    label: 'Europe',
    children: [
      { value: 'de', label: 'Germany' },
      { value: 'fr', label: 'France' },
    ],
  },
];
createApp({ template, setup: () => ({ m, suggest, regions }) })
  .use(ElementPlus)
  .mount('#app');
record(() => m);
