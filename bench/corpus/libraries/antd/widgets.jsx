import {
  AutoComplete,
  Cascader,
  Checkbox,
  DatePicker,
  InputNumber,
  Radio,
  Rate,
  Segmented,
  Select,
  Slider,
  Switch,
} from 'antd';
import { createRoot } from 'react-dom/client';
import { recordChanges } from '../../../../test/corpus/page-client.js';

const received = recordChanges();
const set = (name) => (value) => received(name, value);
const options = ['Germany', 'France', 'Spain'].map((label) => ({ value: label.slice(0, 2).toLowerCase(), label }));
const wide = { width: 200 };

createRoot(document.getElementById('app')).render(
  <div style={{ padding: 20, width: 400 }}>
    <div data-widget="select">
      <Select style={wide} options={options} onChange={set('select')} />
    </div>
    <div data-widget="multiple">
      <Select mode="multiple" style={wide} options={options} onChange={set('multiple')} />
    </div>
    <div data-widget="date">
      <DatePicker onChange={(_, text) => received('date', text)} />
    </div>
    <div data-widget="slider">
      <Slider step={5} onChange={set('slider')} />
    </div>
    <div data-widget="rate">
      <Rate onChange={set('rate')} />
    </div>
    <div data-widget="switch">
      <Switch onChange={set('switch')} />
    </div>
    <div data-widget="number">
      <InputNumber onChange={set('number')} />
    </div>
    <div data-widget="cascader">
      <Cascader options={[{ value: 'eu', label: 'Europe', children: options }]} onChange={set('cascader')} />
    </div>
    <div data-widget="radio">
      <Radio.Group onChange={({ target }) => received('radio', target.value)} options={['Small', 'Large']} />
    </div>
    <div data-widget="check">
      <Checkbox.Group onChange={set('check')} options={['Cat', 'Dog']} />
    </div>
    <div data-widget="autocomplete">
      <AutoComplete style={wide} options={[{ value: 'Alpha' }, { value: 'Beta' }]} onChange={set('autocomplete')} />
    </div>
    <div data-widget="segmented">
      <Segmented options={['Daily', 'Weekly', 'Monthly']} onChange={set('segmented')} />
    </div>
  </div>,
);
