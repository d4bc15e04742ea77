import { Alert, Button, Snackbar, TextField } from '@mui/material';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { submit } from '../../../../test/corpus/page-client.js';

const check = ({ name, email, amount }) => ({
  ...(!name && { name: 'Tell us what to call you' }),
  ...(!/.+@.+/.test(email ?? '') && { email: 'Use the form name@place' }),
  ...(Number(amount) > 100 && { amount: 'At most 100' }),
});

function Page() {
  const [values, setValues] = useState({});
  const [errors, setErrors] = useState({});
  const [message, setMessage] = useState('');
  const field = (name, label, type = 'text') => (
    <p>
      <TextField
        label={label}
        type={type}
        value={values[name] ?? ''}
        error={Boolean(errors[name])}
        helperText={errors[name]}
        onChange={({ target }) => setValues((before) => ({ ...before, [name]: target.value }))}
      />
    </p>
  );
  const reset = () => setValues({});
  const send = async (event) => {
    event.preventDefault();
    const found = check(values);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    await submit(values, { showErrors: setErrors, showSuccess: (text) => setMessage(text) || reset(), reset });
  };
  return (
    <form onSubmit={send} noValidate>
      {field('name', 'Full name')}
      {field('email', 'Email address', 'email')}
      {field('amount', 'Amount', 'number')}
      <Button type="submit">Send</Button>
      <Snackbar open={message !== ''}>
        <Alert severity="success">{message}</Alert>
      </Snackbar>
    </form>
  );
}
createRoot(document.getElementById('app')).render(<Page />);
