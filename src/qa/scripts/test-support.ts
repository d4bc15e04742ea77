import { afterAll } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { type BrowserPool, createBrowserPool } from '../../platform/browser/browser-pool.ts';
import type { Ladder } from '../../platform/page/page-model.ts';
import { testServer } from '../../platform/page/test-support.ts';
import { deriveCases } from '../cases/derive/derive-cases.ts';
import { newUsageMeter } from '../runs/usage-meter.ts';
import type { FormEvidence, FormField, UseCaseEvidence } from '../scan/use-case-evidence.ts';
import { projectSecretsFrom } from '../secrets/project-secrets.ts';
import { trialReplay } from './model/written-script.ts';
import { writeScript } from './record/write-script.ts';

export const htmlPage = (title: string, rest: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1>${rest}</main>`;

export function scriptFormField(key: string, label: string, more: Partial<FormField> = {}): FormField {
  return {
    ...{ key, label, kind: 'text', role: 'textbox', group: '', placeholder: '' },
    ...{ required: true, readOnly: false, value: '', checked: null, options: [], hidden: false },
    ladder: [{ by: 'label', value: label }],
    ...more,
  };
}

interface FormSubject {
  path: string;
  method: FormEvidence['method'];
  action: string;
  fields: FormField[];
  button: string;
  frame?: string[];
  class?: UseCaseEvidence['class'];
}

const within = (ladder: Ladder, frame: string[] | undefined): FormField['ladder'] =>
  ladder.map((rung) => ({ ...rung, ...(frame && { frame }) }));

function evidenceOf(url: string, subject: FormSubject): UseCaseEvidence {
  const { path, method, action, fields, button, frame, class: of = 'contact' } = subject;
  return {
    ...{ class: of, identity: 'x', confidence: 1, entryUrl: url + path, everywhere: false },
    ...{ needsLogin: false, signIn: null, steps: [], controls: [], stages: [], expected: [], signals: [] },
    state: { template: path, url: url + path, title: 'T', heading: 'T', seen: 1 },
    form: {
      ...{ method, action, fields: fields.map((one) => ({ ...one, ladder: within(one.ladder, frame) })) },
      submit: {
        ...{ name: button, kind: 'submit', role: 'button', href: null },
        ladder: within([{ by: 'role', role: 'button', value: button }], frame),
      },
    },
  };
}

type SiteAnswer = (path: string, method: string, body: URLSearchParams) => string | { location: string };

/** Sites in one browser for all tests of a file: the script that is written for each case, and its later replays. */
export function createSiteTester() {
  const browserPool = createBrowserPool({ home: testHome });
  afterAll(() => browserPool.close());
  return (answer: SiteAnswer, subject: FormSubject) => openSite(browserPool, answer, subject);
}

async function openSite(browserPool: BrowserPool, answer: SiteAnswer, subject: FormSubject) {
  const server = await testServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const said = answer(request.url ?? '', request.method ?? '', new URLSearchParams(body));
    if (typeof said !== 'string') return response.writeHead(303, said).end();
    return response.setHeader('content-type', 'text/html').end(said);
  });
  const evidence = evidenceOf(server.url, subject);
  const options = {
    ...{ browsers: async () => browserPool, inside: undefined, baseUrl: server.url, meter: newUsageMeter() },
    ...{ secrets: projectSecretsFrom([], new Map()), isPrivate: () => false },
  };
  const derived = deriveCases({ title: 'T', evidence, promised: [], others: [] });
  return {
    async write(key: string) {
      const found = derived.find((one) => one.key === key);
      if (!found) throw new Error(`no case ${key} among ${derived.map((one) => one.key).join(', ')}`);
      return await writeScript(options, { plan: found.plan, evidence, before: [], isLiving: false });
    },
    async fails(steps: Parameters<typeof trialReplay>[1]) {
      const { outcomes } = await trialReplay(options, steps);
      return outcomes.flatMap(({ status, description }) => (status === 'failed' ? [description] : []));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
