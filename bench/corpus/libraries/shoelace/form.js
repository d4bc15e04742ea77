import { submit } from '../../../../test/corpus/page-client.js';
import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace';

const markup = `<form>
  <sl-input name="name" label="Full name" required></sl-input>
  <sl-input name="email" label="Email address" type="email" required></sl-input>
  <sl-input name="amount" label="Amount" type="number" min="1" max="100"></sl-input>
  <sl-button type="submit">Send</sl-button> <sl-button class="start">Start</sl-button>
</form><sl-alert variant="success" duration="6000"></sl-alert>`;
const app = document.getElementById('app');
function draw() {
  app.innerHTML = markup;
  const form = document.querySelector('form');
  document.querySelector('.start').addEventListener('click', draw);
  form.addEventListener('sl-input', ({ target }) => target.setCustomValidity(''));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(Object.fromEntries(new FormData(form)), {
      showErrors(errors) {
        for (const [name, text] of Object.entries(errors)) {
          const field = form.querySelector(`[name=${name}]`);
          field.setCustomValidity(text);
          field.reportValidity();
        }
      },
      showSuccess(message) {
        const alert = document.querySelector('sl-alert');
        alert.textContent = message;
        alert.toast();
        form.reset();
      },
      reset: () => form.reset(),
    });
  });
}
customElements.whenDefined('sl-input').then(draw);
