import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { inStore, owner } from '../../../test/support/qa/qa-results.ts';
import { startReceiver } from '../../../test/support/services/receivers.ts';
import { createRedactor } from '../../platform/redaction/redactor.ts';
import { createSecretVault } from '../../platform/secrets/secret-vault.ts';
import type { QaStore } from '../store/qa-store.ts';
import { deliverReport } from './deliver-report.ts';
import { webhookKeyBinding } from './save-preferences.ts';
import { parseSmsProvider } from './sms-request.ts';

const vault = createSecretVault([Buffer.alloc(32, 7)]);
const message = {
  subject: '',
  text: '',
  html: '',
  short: 'Hello',
  attachments: [],
  payload: { event: 'test_run_completed' },
};

let folder: Folder;
beforeAll(async () => {
  folder = await newFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** A report for this address. */
async function newSending(store: QaStore, webhookUrl: string) {
  const project = await store.projects.insert({ owner, name: 'Shop' });
  const facts = { owner, projectId: project.id };
  const report = await store.reports.insert({
    ...facts,
    format: 'html',
    status: 'running',
    document: null,
    artifacts: [],
  });
  const preferences = await store.preferences.insert({
    ...{ ...facts, channels: ['webhook'], emails: [], phones: [], webhookUrl, details: {} },
    webhookSecret: vault.seal('the key of the receiver', webhookKeyBinding(project.id)),
  });
  return { report, preferences, message, senders: {} };
}

const positionIn = (store: QaStore, signal = new AbortController().signal) => ({
  ...{ store, inside: undefined, signal, vault: async () => vault },
  secrets: { redactor: createRedactor([]) },
});

test('does not deliver twice when another worker resumes', async () => {
  await using receiver = await startReceiver();
  await inStore(folder.path, async (store) => {
    const sending = await newSending(store, receiver.url);
    for (let worker = 0; worker < 2; worker++)
      expect(await deliverReport(positionIn(store), sending)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    expect(receiver.received).toHaveLength(1);
  });
});

test('resumes an interrupted delivery and continues its attempt count', async () => {
  await using receiver = await startReceiver();
  await inStore(folder.path, async (store) => {
    const sending = await newSending(store, receiver.url);
    const { id: reportId, projectId } = sending.report;
    const row = { owner, projectId, reportId, channel: 'webhook', target: receiver.url };
    await store.deliveries.insert({ ...row, status: 'sending', attempts: 2 });
    expect(await deliverReport(positionIn(store), sending)).toMatchObject([{ status: 'delivered', attempts: 3 }]);
  });
});

test('stops after four attempts, and when the run is cancelled', async () => {
  await using receiver = await startReceiver([500], { 'retry-after': '0' });
  await inStore(folder.path, async (store) => {
    const sending = await newSending(store, receiver.url);
    expect(await deliverReport(positionIn(store), sending)).toMatchObject([
      { status: 'failed', attempts: 4, error: 'HTTP 500' },
    ]);
    expect(receiver.received).toHaveLength(4);
    const stopped = AbortSignal.abort(new Error('cancelled'));
    await expect(deliverReport(positionIn(store, stopped), await newSending(store, receiver.url))).rejects.toThrow();
    expect(receiver.received).toHaveLength(4);
  });
});

test('delivers only to the requested channels', async () => {
  await using receiver = await startReceiver();
  await inStore(folder.path, async (store) => {
    const sending = await newSending(store, receiver.url);
    expect(await deliverReport(positionIn(store), { ...sending, channels: [] })).toEqual([]);
    expect(receiver.received).toEqual([]);
  });
});

test('delivers the other channels if the key of one cannot be opened', async () => {
  await using provider = await startReceiver();
  await inStore(folder.path, async (store) => {
    const sending = await newSending(store, provider.url);
    const preferences = { ...sending.preferences, channels: ['webhook', 'sms'], phones: ['+15551234567'] };
    const senders = { sms: parseSmsProvider(`${provider.url}/sms`, undefined, '{}') };
    const position = { ...positionIn(store), vault: async () => createSecretVault([Buffer.alloc(32, 8)]) };
    const sent = await deliverReport(position, { ...sending, preferences, senders });
    expect(sent.toSorted((a, b) => a.channel.localeCompare(b.channel))).toMatchObject([
      { channel: 'sms', status: 'delivered' },
      { channel: 'webhook', status: 'failed', attempts: 1, error: expect.stringContaining('key') },
    ]);
    expect(provider.received).toMatchObject([{ path: '/sms' }]);
  });
});
