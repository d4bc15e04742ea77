import { submit } from '../../../../test/corpus/page-client.js';
import 'vuetify/styles';
import { createApp, reactive, ref } from 'vue/dist/vue.esm-bundler.js';
import { createVuetify } from 'vuetify';
import * as components from 'vuetify/components';

const template = `<v-app><v-form ref="form" @submit.prevent="send">
  <v-text-field label="Full name" v-model="values.name" :rules="[required]"></v-text-field>
  <v-text-field label="Email address" v-model="values.email" :rules="[required, email]" :error-messages="errors.email"></v-text-field>
  <v-text-field label="Amount" type="number" v-model="values.amount"></v-text-field>
  <v-btn type="submit" :loading="isSending">Send</v-btn>
  <v-snackbar v-model="isShown" :timeout="-1">{{ message }}</v-snackbar>
</v-form></v-app>`;
const setup = () => {
  const [values, errors] = [reactive({}), reactive({})];
  const [form, isSending, isShown, message] = [ref(), ref(false), ref(false), ref('')];
  const reset = () => form.value.reset();
  return {
    ...{ values, errors, form, isSending, isShown, message },
    required: (value) => Boolean(value) || 'A value is needed',
    email: (value) => /.+@.+/.test(value) || 'Write it with an @',
    async send() {
      if (!(await form.value.validate()).valid) return;
      isSending.value = true;
      await submit(values, {
        showErrors: (found) => Object.assign(errors, found),
        showSuccess(text) {
          message.value = text;
          isShown.value = true;
          reset();
        },
        reset,
      });
      isSending.value = false;
    },
  };
};
createApp({ template, setup }).use(createVuetify({ components })).mount('#app');
