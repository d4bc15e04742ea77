import { ErrorMessage, Field, Form, Formik } from 'formik';
import { createRoot } from 'react-dom/client';
import { number, object, string } from 'yup';
import { submit } from '../../../../test/corpus/page-client.js';

const schema = object({
  name: string().required(),
  email: string().email().required(),
  amount: number().min(1).max(100),
});
const fields = [
  ['name', 'Full name'],
  ['email', 'Email address'],
  ['amount', 'Amount'],
];
const send = (values, { setErrors, setStatus, resetForm }) =>
  submit(values, {
    showErrors: setErrors,
    showSuccess(text) {
      resetForm();
      setStatus(text);
    },
  });

createRoot(document.getElementById('app')).render(
  <Formik initialValues={{ name: '', email: '', amount: '' }} validationSchema={schema} onSubmit={send}>
    {({ status }) => (
      <Form>
        {fields.map(([name, label]) => (
          <p key={name}>
            <label htmlFor={name}>{label}</label> <Field id={name} name={name} />
            <ErrorMessage name={name} component="div" className="field-error" />
          </p>
        ))}
        <button type="submit">Send</button>
        {status && <div>{status}</div>}
      </Form>
    )}
  </Formik>,
);
