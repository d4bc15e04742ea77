/** Parts of an exported test file; each is included only if it is used. */

export const sentSource = `const sent = new Map<Request, { method: string; path: string; status: number }>();
page.context().on('request', (request) => {
  sent.set(request, { method: request.method(), path: addressOf(request.url()), status: 0 });
});
page.context().on('response', (response) => {
  const one = sent.get(response.request());
  if (one) one.status = response.status();
});`;

export const wholeTextSource = `// Visible text, including open shadow roots and same-origin frames.
async function wholeText(page: Page): Promise<string> {
  const text = await page.evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document];
    const texts: string[] = [];
    for (const root of roots) {
      for (const one of 'body' in root ? [root.body] : root.children)
        if (one && 'innerText' in one && one.checkVisibility()) texts.push(String(one.innerText));
      for (const host of root.querySelectorAll('*')) {
        const framed = host instanceof HTMLIFrameElement && host.checkVisibility() ? host.contentDocument : null;
        const inner = host.shadowRoot ?? framed;
        if (inner) roots.push(inner);
      }
    }
    return texts.join('\\n');
  });
  return text.replaceAll(/\\s+/g, ' ');
}`;

export const hasWordsSource = `// Case-insensitive match of consecutive words.
function hasWords(text: string, words: string, partly = false): boolean {
  const plain = (one: string) => \` \${one.toLowerCase().match(/[\\p{L}\\p{N}]+/gu)?.join(' ') ?? ''} \`;
  return plain(text).includes(partly ? plain(words).trim() : plain(words));
}`;

export const downloadsSource = `const offered: Download[] = [];
page.on('download', (download) => offered.push(download));
page.context().on('page', (tab) => tab.on('download', (download) => offered.push(download)));`;

export const fileBeginningSource = `// Beginning of a downloaded file; empty if the file is empty or does not arrive.
async function beginningOf(offered: readonly Download[], name: RegExp): Promise<string> {
  const download = offered.find((one) => name.test(one.suggestedFilename()));
  const chunks = (await download?.createReadStream().catch(() => undefined)) ?? [];
  for await (const chunk of chunks) return String(chunk);
  return '';
}`;

export const writeRequestSource = `function writes({ method, path }: { method: string; path: string }): boolean {
  const domain = (url: string) => new URL(url, site).hostname.split('.').slice(-2).join('.');
  return /^(POST|PUT|PATCH|DELETE)$/.test(method) && domain(path) === domain(site);
}`;

/** An element that must not be there may still appear. Streams that never end are not waited for. */
export const networkIdleSource = `const open = new Set<Request>();
page.context().on('request', (request) => {
  const type = request.resourceType();
  if (isOfSite(request.url()) && /^(document|xhr|fetch|script|stylesheet)$/.test(type)) open.add(request);
});
page.context().on('requestfinished', (request) => open.delete(request));
page.context().on('requestfailed', (request) => open.delete(request));
const rest = async () => {
  await page.evaluate(() => undefined).catch(() => {});
  await expect.poll(() => open.size).toBe(0).catch(() => {});
};`;

export const failuresSource = `const failures: string[] = [];
page.context().on('weberror', (error) => failures.push(error.error().message));
page.context().on('response', (response) => {
  if (response.status() >= 500 && isOfSite(response.url())) failures.push(\`\${response.status()} \${response.url()}\`);
});`;

/** Dialogs are dismissed until a step accepts one. */
export const dialogsSource = `const spoken: string[] = [];
let confirms = false;
page.context().on('dialog', async (dialog) => {
  const isQuestion = dialog.type() !== 'alert' && dialog.type() !== 'beforeunload';
  if (dialog.type() === 'alert') spoken.push(dialog.message());
  await (isQuestion && !confirms ? dialog.dismiss() : dialog.accept()).catch(() => {});
});`;

export const addressSource = `function addressOf(url: string): string {
  const { origin, pathname, search, hash } = new URL(url);
  return origin === new URL(site).origin ? pathname + search + hash : url;
}`;

export const sameSiteSource = `function isOfSite(url: string): boolean {
  const [there, own] = [new URL(url), new URL(site)];
  const name = ({ host }: URL) => host.replace(/^www\\./, '');
  return name(there) === name(own) && (there.protocol === own.protocol || there.protocol === 'https:');
}`;

/** Holds an element handle, which belongs to one document, so that no other document can take its place. */
export const siteElementSource = `// Secrets are entered only in frames of the site.
async function onSite(field: Locator) {
  const element = await field.elementHandle();
  let frame = await element?.ownerFrame();
  while (frame && frame.url().startsWith('about:')) frame = frame.parentFrame();
  if (element && frame && isOfSite(frame.url())) return element;
  throw new Error(\`No secret is entered on \${frame?.url()}: it is not part of \${site}\`);
}`;

export const escapedSource = `function escaped(text: string): string {
  return text.replaceAll(/[\\\\^$.*+?()[\\]{}|/-]/g, '\\\\$&');
}`;

export const repeatedClickSource = `// Delays responses until all clicks are done, so the result does not depend on the speed of the site.
async function clickAgain(button: Locator, times: number): Promise<void> {
  const page = button.page();
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  const held: Route[] = [];
  let isOver = false;
  const hold = (route: Route) => {
    const request = route.request();
    const waits = request.isNavigationRequest() || !/^(GET|HEAD|OPTIONS)$/.test(request.method());
    if (isOver || !waits) return route.fallback();
    held.push(route);
  };
  const sent = async (count: number) => {
    await expect.poll(() => held.length, { timeout: 400 }).toBeGreaterThanOrEqual(count).catch(() => {});
  };
  await page.context().route('**/*', hold);
  await button.click({ noWaitAfter: true });
  for (let count = 2; box && count <= times; count++) {
    await sent(count - 1);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down({ clickCount: count });
    await page.mouse.up({ clickCount: count });
  }
  await sent(times);
  isOver = true;
  // A later click replaces the navigation of an earlier one.
  const leads = held.filter((route) => route.request().isNavigationRequest());
  for (const route of held) {
    const isGone = leads.includes(route) && route !== leads.at(-1);
    await (isGone ? route.abort('aborted') : route.fallback()).catch(() => {});
  }
}`;
