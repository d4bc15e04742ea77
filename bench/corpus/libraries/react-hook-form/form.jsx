import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useForm } from 'react-hook-form';
import { submit } from '../../../../test/corpus/page-client.js';

function Page() {
  const { register, handleSubmit, setError, reset, formState } = useForm();
  const [message, setMessage] = useState('');
  const { errors } = formState;
  const field = (name, label, rules) => (
    <p>
      <label htmlFor={name}>{label}</label>
      <input id={name} aria-invalid={errors[name] ? 'true' : 'false'} {...register(name, rules)} />
      {errors[name] && <span role="alert">{errors[name].message || 'Look at this again'}</span>}
    </p>
  );
  const send = (values) =>
    submit(values, {
      showErrors(found) {
        for (const [name, text] of Object.entries(found)) setError(name, { message: text });
      },
      showSuccess: setMessage,
      reset,
    });
  if (message) return <h2>{message}</h2>;
  return (
    <form onSubmit={handleSubmit(send)} noValidate>
      {field('name', 'Full name', { required: true })}
      {field('email', 'Email address', { required: true, pattern: /.+@.+/ })}
      {field('amount', 'Amount', { min: 1, max: { value: 100, message: 'At most 100' } })}
      <input type="submit" value="Send" />
    </form>
  );
}
createRoot(document.getElementById('app')).render(<Page />);
