import { materialCells, materialRenderers } from '@jsonforms/material-renderers';
import { JsonForms } from '@jsonforms/react';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { submit } from '../../../../test/corpus/page-client.js';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Full name', minLength: 1 },
    email: { type: 'string', title: 'Email address' },
    amount: { type: 'integer', title: 'Amount', minimum: 1, maximum: 100 },
  },
  required: ['name', 'email'],
};
const uischema = {
  type: 'VerticalLayout',
  elements: Object.keys(schema.properties).map((name) => ({ type: 'Control', scope: `#/properties/${name}` })),
};

function Page() {
  const [state, setState] = useState({ data: {}, errors: [] });
  const [found, setFound] = useState([]);
  const [isTried, setTried] = useState(false);
  const [message, setMessage] = useState('');
  const send = () => {
    setTried(true);
    if (state.errors.length > 0) return;
    submit(state.data, {
      showErrors: (errors) =>
        setFound(
          Object.entries(errors).map(([name, text]) => ({
            instancePath: `/${name}`,
            message: text,
            keyword: '',
            schemaPath: '',
            params: {},
          })),
        ),
      showSuccess: setMessage,
    });
  };
  if (message) return <h1>{message}</h1>;
  return (
    <>
      <JsonForms
        {...{ schema, uischema }}
        data={state.data}
        renderers={materialRenderers}
        cells={materialCells}
        additionalErrors={found}
        validationMode={isTried ? 'ValidateAndShow' : 'ValidateAndHide'}
        onChange={({ data, errors }) => setState({ data, errors })}
      />
      <Button onClick={send}>Send</Button>
    </>
  );
}
createRoot(document.getElementById('app')).render(<Page />);
