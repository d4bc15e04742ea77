import { afterAll, expect, test } from 'vitest';
import { testHome } from '../../../../test/sites/workspace.ts';
import { createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { testServer } from '../../../platform/page/test-support.ts';
import { newUsageMeter } from '../../runs/usage-meter.ts';
import { projectSecretsFrom } from '../../secrets/project-secrets.ts';
import { performAction } from '../steps/perform-action.ts';
import { openSession, type ReplaySession } from './replay-session.ts';
import { captureSessionScreenshot } from './session-screenshot.ts';

const browserPool = createBrowserPool({ home: testHome });
afterAll(() => browserPool.close());
const token = 'tok-4711-never-shown';
const secrets = projectSecretsFrom(
  [{ id: 'sec_1', name: 'API_TOKEN', description: null }],
  new Map([['API_TOKEN', token]]),
);

const page = (text: string) => `<!doctype html><title>T</title><style>body { margin: 0; font-size: 40px }
  p, input { display: block; box-sizing: border-box; width: 600px; height: 100px; margin: 0; padding: 0; border: 0 }</style>
  <p>${text}</p><input aria-label="Token" oninput="echo.textContent = this.value"><p id="echo"></p>`;

/** How dark a picture is at the right end of each of the three lines, where no letters are. */
async function shades(session: ReplaySession, picture: Uint8Array | undefined): Promise<number[]> {
  const source = `data:image/jpeg;base64,${Buffer.from(picture ?? []).toString('base64')}`;
  const viewer = await session.context.newPage();
  return viewer.evaluate(async (src) => {
    const image = Object.assign(new Image(), { src });
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const brush = canvas.getContext('2d');
    brush?.drawImage(image, 0, 0);
    const scale = image.width / innerWidth;
    return [50, 150, 250].map((y) => brush?.getImageData(580 * scale, y * scale, 1, 1).data[0] ?? -1);
  }, source);
}

const dark = expect.toSatisfy((shade: number) => shade < 120);
const light = expect.toSatisfy((shade: number) => shade > 200);

test.each([true, false])('masks secrets in screenshots (small: %s)', async (small) => {
  await using server = await testServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(page(request.url === '/shown' ? token : 'Hello'));
  });
  const options = {
    browsers: async () => browserPool,
    inside: undefined,
    baseUrl: server.url,
    secrets,
    meter: newUsageMeter(),
  };
  await using session = await openSession(options);
  const on = { name: 'Token', ladder: [{ by: 'label' as const, value: 'Token' }] };
  await performAction(session, { do: 'goto', url: '/' });
  expect(await shades(session, await captureSessionScreenshot(session, { small }))).toEqual([light, light, light]);
  await using other = await openSession(options);
  await performAction(other, { do: 'goto', url: '/shown' });
  expect(await shades(session, await captureSessionScreenshot(other, { small }))).toEqual([dark, light, light]);
  await performAction(other, { do: 'fill', on, value: token });
  const source = () => other.page().content();
  const before = await source();
  expect(await shades(session, await captureSessionScreenshot(other, { small }))).toEqual([dark, dark, dark]);
  expect(await source()).toBe(before);
});

test('returns no screenshot of an unresponsive page', async () => {
  await using server = await testServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`${page('Hello')}<script>onload = () => setTimeout(() => { for (;;); })</script>`);
  });
  const options = {
    browsers: async () => browserPool,
    inside: undefined,
    baseUrl: server.url,
    secrets,
    meter: newUsageMeter(),
  };
  await using session = await openSession(options);
  await performAction(session, { do: 'goto', url: '/' });
  const asked = () => session.page().evaluate(() => false);
  const isBusy = () => Promise.race([asked(), new Promise((resolve) => setTimeout(resolve, 500, true))]);
  await expect.poll(isBusy).toBe(true);
  expect(await captureSessionScreenshot(session, { small: true })).toBeUndefined();
});

test('masks the whole page if a secret keeps moving', async () => {
  await using server = await testServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    const restless = `<script>new MutationObserver(() => {
      if (said.getAttributeNames().length > 1) said.outerHTML = '<p id="said">${token}</p>';
    }).observe(document, { attributes: true, childList: true, subtree: true });</script>`;
    response.end(`${page('Hello').replace('<p id="echo">', `<p id="said">${token}</p><p id="echo">`)}${restless}`);
  });
  const options = {
    browsers: async () => browserPool,
    inside: undefined,
    baseUrl: server.url,
    secrets,
    meter: newUsageMeter(),
  };
  await using session = await openSession(options);
  await performAction(session, { do: 'goto', url: '/' });
  expect(await shades(session, await captureSessionScreenshot(session, { small: true }))).toEqual([dark, dark, dark]);
});
