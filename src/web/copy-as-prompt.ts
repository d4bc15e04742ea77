import { html, type Markup } from './html.ts';

/** What stands here as a task for an agent: to be copied by one click, and to be read before. */
export function copyAsPrompt(prompt: string): Markup {
  return html`<details class="prompt screen-only"><summary>As a prompt for an agent</summary>
<pre class="snippet"><code>${prompt}</code></pre><button type="button" class="copy" hidden>Copy</button><span role="status" class="soft small"></span></details>`;
}

export const copyStyle = `
.prompt{margin-top:.75rem;font-size:.9375rem}
.prompt pre{white-space:pre-wrap;margin-top:.375rem}
.prompt .copy{margin-top:.375rem}
`;

/** Buttons that copy; without the script the text can be marked by hand. */
export const copyScript = `
for (const button of document.querySelectorAll('.prompt .copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.previousElementSibling, status = button.nextElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      status.textContent = ' Copied.';
    } catch {
      getSelection().selectAllChildren(code);
      status.textContent = ' Marked: copy it with your keyboard.';
    }
  });
}
`;
