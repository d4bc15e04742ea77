import { submit } from '../../../../test/corpus/page-client.js';
import 'element-plus/dist/index.css';
import ElementPlus, { ElMessage } from 'element-plus';
import { createApp, reactive, ref } from 'vue/dist/vue.esm-bundler.js';

const template = `<el-form ref="form" :model="values" :rules="rules" label-position="top" @submit.prevent="send">
  <el-form-item label="Full name" prop="name"><el-input v-model="values.name"></el-input></el-form-item>
  <el-form-item label="Email address" prop="email" :error="errors.email"><el-input v-model="values.email"></el-input></el-form-item>
  <el-form-item label="Amount" prop="amount"><el-input v-model="values.amount"></el-input></el-form-item>
  <el-button native-type="submit" type="primary">Send</el-button>
</el-form>`;
const rules = {
  name: [{ required: true, trigger: 'blur' }],
  email: [{ required: true, type: 'email', trigger: 'blur' }],
};
const setup = () => {
  const [values, errors, form] = [reactive({ name: '', email: '', amount: '' }), reactive({ email: '' }), ref()];
  const reset = () => form.value.resetFields();
  async function send() {
    if (!(await form.value.validate().catch(() => false))) return;
    await submit(values, {
      showErrors: (found) => Object.assign(errors, found),
      showSuccess(text) {
        ElMessage.success({ message: text, duration: 0 });
        reset();
      },
      reset,
    });
  }
  return { values, errors, form, rules, send };
};
createApp({ template, setup }).use(ElementPlus).mount('#app');
