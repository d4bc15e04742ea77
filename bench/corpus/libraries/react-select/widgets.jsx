import { createRoot } from 'react-dom/client';
import Select from 'react-select';
import Async from 'react-select/async';
import Creatable from 'react-select/creatable';
import { recordChanges } from '../../../../test/corpus/page-client.js';

const received = recordChanges();
const options = ['Germany', 'France', 'Spain'].map((label) => ({ value: label.slice(0, 2).toLowerCase(), label }));
const load = (typed) =>
  new Promise((resolve) => setTimeout(() => resolve(options.filter(({ label }) => label.startsWith(typed))), 200));

createRoot(document.getElementById('app')).render(
  <>
    <div data-widget="single">
      <Select aria-label="Country" options={options} onChange={({ value }) => received('single', value)} />
    </div>
    <div data-widget="multiple">
      <Select
        isMulti
        aria-label="Countries"
        options={options}
        onChange={(chosen) =>
          received(
            'multiple',
            chosen.map(({ value }) => value),
          )
        }
      />
    </div>
    <div data-widget="creatable">
      <Creatable aria-label="Land" options={options} onChange={({ value }) => received('creatable', value)} />
    </div>
    <div data-widget="loaded">
      <Async aria-label="Birth place" loadOptions={load} onChange={({ value }) => received('loaded', value)} />
    </div>
  </>,
);
