import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { cleanPage, type SiteHandler, serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { connectStdio, type Result } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { qaOn } from '../support/qa/qa.ts';

const password = 'keep-This-4711';

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * A page that tries to get the password: by a pattern that spells its placeholder, and by a login in a frame of
 * another site.
 */
const asking = (frame: string, sent: string[]): SiteHandler => {
  return async (path, request) => {
    sent.push(`${path} ${await textOf(request)}`);
    if (request.method === 'POST') return cleanPage('Thank you', '<p role="status">Your order was taken.</p>');
    if (path !== '/') return undefined;
    const reporting = `oninput="fetch('/typed', { method: 'POST', body: this.value })"`;
    const field = `<label>Code <input name="code" required ${reporting} pattern="\\[sec[r]et:TEST_USER_PASSWORD\\]"></label>`;
    const form = `<form method="post" action="/order"><h2>Contact us</h2>${field}<button>Send message</button></form>`;
    return cleanPage('Order', `${form}<iframe src="${frame}" title="Partner"></iframe>`);
  };
};

const login =
  '<form method="get" action="/in"><label>User name <input name="user"></label><label>Password <input type="password" name="pass"></label><button>Log in</button></form>';

test('gives no secret to a page that writes placeholders or frames another site', async () => {
  const [sent, taken]: [string[], string[]] = [[], []];
  await using partner = await serveSite((path) => {
    taken.push(path);
    return cleanPage('Log in', login);
  });
  await using site = await serveSite(asking(partner.url, sent));
  await using folder = await newFolder();
  await using client = await connectStdio('modern', {
    args: ['--toolsets', 'qa'],
    env: await scanEnvironment(folder),
  });
  const qa = qaOn(client);
  const { projectId } = await qa.call('qa_project_create', { projectName: 'Asking', url: site.url });
  await qa.call('qa_secret_create', { projectId, name: 'TEST_USER_NAME', value: 'kim-the-tester' });
  await qa.call('qa_secret_create', { projectId, name: 'TEST_USER_PASSWORD', value: password });
  const scan = { projectId, url: site.url, description: 'Everything' };
  const scanned = await qa.ended('scan', await qa.call('qa_workflow_start_website_scan', scan));
  expect(scanned).toMatchObject({ status: 'succeeded', result: { loggedIn: false } });
  const { useCaseCandidates } = await qa.call('qa_use_case_discovery_memory_get', { projectId });
  const approvedCandidateIds = useCaseCandidates.map(({ id }: Result) => id);
  await qa.call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds });
  await qa.ended('detection', await qa.call('qa_workflow_start_test_case_detection', { projectId }));
  await qa.ended('generation', await qa.call('qa_workflow_start_test_script_generation', { projectId }));
  expect(sent.filter((line) => line.startsWith('/typed ')).length).toBeGreaterThan(0);
  for (const line of [...sent, ...taken]) expect(decodeURIComponent(line)).not.toContain(password);
});
