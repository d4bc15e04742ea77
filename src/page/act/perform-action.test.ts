import { expect, test } from 'vitest';
import { testPages } from '../../platform/page/test-support.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { click, drag, hover, press, scroll, upload } from './perform-action.ts';

const open = testPages();

async function openWith(html: string) {
  const page = await open(`${html}<output id="out"></output>`);
  const { controls, unknown } = await readSnapshot(page);
  const parts = [...controls, ...unknown];
  return {
    page,
    part(name: string) {
      const found = parts.find((each) => each.name === name);
      if (!found) throw new Error(`no part ${name}`);
      return found;
    },
    out: () => page.evaluate(() => document.querySelector('#out')?.textContent),
  };
}

test('clicks, and answers dialogs', async () => {
  const { page, part, out } = await openWith(`<button onclick="out.textContent = confirm('Sure?')">Go</button>`);
  const asked = await click(page, part('Go'));
  expect(asked).toMatchObject({
    settled: { how: 'ready' },
    dialogs: [{ type: 'confirm', message: 'Sure?', isAccepted: false }],
  });
  expect(await out()).toBe('false');
  await click(page, part('Go'), { acceptsDialogs: true });
  expect(await out()).toBe('true');
});

test('says what is in the way of a click', async () => {
  const { page, part } = await openWith('<button>Under</button><div style="position:fixed;inset:0">Wait</div>');
  await expect(click(page, part('Under'))).rejects.toMatchObject({
    code: 'ELEMENT_NOT_USABLE',
    message: expect.stringContaining('<div> "Wait" lies over it'),
  });
});

test('hovers, presses keys, drags and scrolls', async () => {
  const { page, part, out } = await openWith(`<button onmouseenter="out.textContent='over'">A</button>
    <button onkeydown="out.textContent=event.key" onmousedown="out.textContent='down'">B</button>
    <button onmouseup="out.textContent+=' up'">C</button><div style="height:3000px"></div><script>
    onscroll = () => { if (scrollY > 1000) out.textContent = 'end' }</script>`);
  await hover(page, part('A'));
  await expect.poll(out).toBe('over');
  await drag(page, part('B'), part('C'));
  await expect.poll(out).toBe('down up');
  await click(page, part('B'));
  await press(page, 'F2');
  await expect.poll(out).toBe('F2');
  await scroll(page, 'end');
  await expect.poll(out).toBe('end');
});

test('uploads files', async () => {
  const { page, part, out } = await openWith(
    `<label>Photo <input type="file" onchange="out.textContent = this.files[0].name"></label>`,
  );
  await upload(page, part('Photo'), [import.meta.filename]);
  expect(await out()).toBe('perform-action.test.ts');
});
