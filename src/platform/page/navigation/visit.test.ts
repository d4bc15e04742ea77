import { describe, expect, test } from 'vitest';
import { isSmallJpeg } from '../../../../test/support/server/pictures.ts';
import { takeScreenshot } from '../capture/screenshot.ts';
import { watchPageEvents } from '../settle/page-events.ts';
import { testPages, testServer } from '../test-support.ts';
import { checkPageResponse, toSiteFailure } from './site-failure.ts';

const open = testPages();

describe('page events', () => {
  const clicks = `
    <button id="a" onclick="alert('Are you sure?')">a</button>
    <a id="b" download="report.csv" href="data:text/csv,x">b</a>
    <button id="c" onclick="window.open('about:blank')">c</button>
    <button id="d" onclick="setTimeout(() => { throw new Error('broken page') })">d</button>`;
  const serve = () =>
    testServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(clicks);
    });

  test('handles and reports dialogs, downloads, tabs and errors', async () => {
    await using server = await serve();
    const page = await open('');
    using watching = watchPageEvents(page.context(), page, { followTabs: false });
    await page.goto(server.url);
    for (const id of ['a', 'b', 'c', 'd']) await page.click(`#${id}`);
    const reported = new Set<string>();
    const look = () => {
      for (const { kind } of watching.take()) reported.add(kind);
      return [...reported].sort();
    };
    await expect.poll(look).toEqual(['dialog', 'download', 'new-tab', 'page-error']);
    expect(watching.page()).toBe(page);
  });

  test('switches to a followed tab until it closes', async () => {
    await using server = await serve();
    const page = await open('');
    using watching = watchPageEvents(page.context(), page, { followTabs: true });
    await page.goto(server.url);
    const opening = page.context().waitForEvent('page');
    await page.click('#c');
    const tab = await opening;
    expect(watching.page()).toBe(tab);
    await tab.close();
    expect(watching.page()).toBe(page);
  });
});

describe('a screenshot', () => {
  test('is a JPEG of the whole page within the byte limit', async () => {
    const noise = Array.from(
      { length: 400 },
      (_, i) => `<p style="color:hsl(${i * 37} 90% 50%)">${'Text of many words. '.repeat(12)}</p>`,
    );
    const page = await open(noise.join(''));
    const picture = await takeScreenshot(page, { mostBytes: 100_000 });
    expect(isSmallJpeg(picture)).toBe(true);
    expect(picture.length).toBeLessThanOrEqual(100_000);
    const tiny = await takeScreenshot(page, { mostBytes: 20_000 });
    expect(isSmallJpeg(tiny)).toBe(true);
    expect(tiny.length).toBeLessThanOrEqual(20_000);
  });

  test('is scaled where scripts of the page cannot see it', async () => {
    const page = await open('<h1>Scaled</h1>');
    const plain = await takeScreenshot(page);
    await page.evaluate(() => {
      for (const name of ['createImageBitmap', 'OffscreenCanvas', 'Blob', 'FileReader', 'atob', 'Promise'])
        Reflect.set(globalThis, name, () => Reflect.set(globalThis, 'wasCalled', true));
    });
    expect(await takeScreenshot(page)).toEqual(plain);
    expect(await page.evaluate('globalThis.wasCalled')).toBeUndefined();
  });

  test('is taken once the browser has a surface again', async () => {
    const page = await open('<p>Here</p>');
    const screenshot = page.screenshot.bind(page);
    page.screenshot = async () => {
      page.screenshot = screenshot;
      throw new Error('page.screenshot: Protocol error (Page.captureScreenshot): Unable to capture screenshot');
    };
    expect(isSmallJpeg(await takeScreenshot(page))).toBe(true);
  });

  test('does not show masked elements', async () => {
    const page = await open('<input value="123-45-6789" style="font-size:60px">');
    const plain = await takeScreenshot(page);
    const masked = await takeScreenshot(page, { masked: [page.locator('input')] });
    await page.locator('input').evaluate((input) => input.setAttribute('value', '999-99-9999'));
    expect(await takeScreenshot(page, { masked: [page.locator('input')] })).toEqual(masked);
    expect(await takeScreenshot(page)).not.toEqual(plain);
  });
});

describe('a failing site', () => {
  test.each([
    ['net::ERR_NAME_NOT_RESOLVED at http://x/', 'SITE_DNS'],
    ['net::ERR_CONNECTION_REFUSED at http://x/', 'SITE_REFUSED'],
    ['net::ERR_CERT_AUTHORITY_INVALID at https://x/', 'SITE_TLS'],
    ['page.goto: Timeout 100ms exceeded.', 'SITE_TIMEOUT'],
    ['page.goto: Download is starting', 'SITE_NOT_HTML'],
    ['net::ERR_SOMETHING_NEW', 'SITE_FAILED'],
  ])('reports %s as %s', (message, code) => {
    expect(toSiteFailure(new Error(message), 'http://x/')).toMatchObject({ kind: 'site_failed', code });
  });

  test.each([
    [403, 'text/html', '<p>No', 'SITE_BLOCKED'],
    [429, 'text/html', '<p>Slowly', 'SITE_BLOCKED'],
    [401, 'text/html', '<p>Who?', 'SITE_LOGIN'],
    [500, 'text/html', '<p>Oops', 'SITE_STATUS'],
    [200, 'text/html', '<p>Verifying you are human</p><p>Ray ID: 1', 'SITE_BLOCKED'],
    [200, 'application/json', '{}', 'SITE_NOT_HTML'],
    [200, 'text/html', '<p>Fine', undefined],
  ])('reports an HTTP %i response of %s (%s) as %s', async (status, type, body, code) => {
    await using server = await testServer((_, response) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    });
    const page = await open('');
    const bad = await checkPageResponse(page, await page.goto(server.url), server.url);
    expect(bad?.code).toBe(code);
  });
});
