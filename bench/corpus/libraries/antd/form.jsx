import { Button, Form, Input, InputNumber, Modal } from 'antd';
import { createRoot } from 'react-dom/client';
import { submit } from '../../../../test/corpus/page-client.js';

function Page() {
  const [form] = Form.useForm();
  const reset = () => form.resetFields();
  const send = (values) =>
    submit(values, {
      showErrors: (errors) => form.setFields(Object.entries(errors).map(([name, text]) => ({ name, errors: [text] }))),
      showSuccess: (content) => Modal.success({ content }) && reset(),
      reset,
    });
  return (
    <Form form={form} layout="vertical" onFinish={send}>
      <Form.Item name="name" label="Full name" rules={[{ required: true }]}>
        <Input />
      </Form.Item>
      <Form.Item name="email" label="Email address" rules={[{ required: true }, { type: 'email' }]}>
        <Input />
      </Form.Item>
      <Form.Item name="amount" label="Amount" rules={[{ type: 'number', min: 1, max: 100 }]}>
        <InputNumber />
      </Form.Item>
      <Button htmlType="submit">Send</Button>
    </Form>
  );
}
createRoot(document.getElementById('app')).render(<Page />);
