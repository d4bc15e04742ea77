import { materialCells, materialRenderers } from '@jsonforms/material-renderers';
import { JsonForms } from '@jsonforms/react';
import { createRoot } from 'react-dom/client';
import { recordChanges } from '../../../../test/corpus/page-client.js';

const received = recordChanges();
const properties = {
  text: { type: 'string', title: 'Name' },
  number: { type: 'number', title: 'Number' },
  integer: { type: 'integer', title: 'Age' },
  boolean: { type: 'boolean', title: 'Agree' },
  choice: { type: 'string', title: 'Size', enum: ['Small', 'Large'] },
  titled: {
    type: 'string',
    title: 'Country',
    oneOf: [
      { const: 'de', title: 'Germany' },
      { const: 'fr', title: 'France' },
    ],
  },
  date: { type: 'string', title: 'Date', format: 'date' },
  time: { type: 'string', title: 'Time', format: 'time' },
  area: { type: 'string', title: 'Text' },
  slider: { type: 'integer', title: 'Volume', minimum: 0, maximum: 10, default: 0 },
  toggle: { type: 'boolean', title: 'On' },
  radio: { type: 'string', title: 'Drink', enum: ['Tea', 'Coffee'] },
};
const options = {
  area: { multi: true },
  slider: { slider: true },
  toggle: { toggle: true },
  radio: { format: 'radio' },
};

createRoot(document.getElementById('app')).render(
  Object.keys(properties).map((name) => (
    <div key={name} data-widget={name}>
      <JsonForms
        schema={{ type: 'object', properties: { [name]: properties[name] } }}
        uischema={{ type: 'Control', scope: `#/properties/${name}`, options: options[name] }}
        renderers={materialRenderers}
        cells={materialCells}
        onChange={({ data }) => received(name, data?.[name])}
      />
    </div>
  )),
);
