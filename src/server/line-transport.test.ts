import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineTransport } from './line-transport.ts';

const LARGEST_BYTES = 1024 * 1024;

function wire() {
  const input = new PassThrough();
  const output = new PassThrough();
  const received: unknown[] = [];
  const transport = createLineTransport(input, output, LARGEST_BYTES);
  transport.onmessage = (message) => void received.push(message);
  let answered = '';
  output.on('data', (chunk: Buffer) => {
    answered += chunk.toString();
  });
  const flushed = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return {
    input,
    output,
    transport,
    received,
    flushed,
    answers: (): unknown[] =>
      answered
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

test('reads whole messages, however the bytes are split', async () => {
  const messages = [ping(1), { jsonrpc: '2.0', id: 'ä€𝄞', method: 'm', params: { text: 'line\nbreak' } }, ping(3)];
  const bytes = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\r\n`).join('\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
      const { input, transport, received, flushed } = wire();
      await transport.start();
      const borders = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      for (let i = 1; i < borders.length; i++) input.write(bytes.subarray(borders[i - 1], borders[i]));
      await flushed();
      expect(received).toEqual(messages);
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['what is not JSON', '{"jsonrpc": "2.0", oops}', null, -32700, /^Parse error/],
  ['JSON that is no message', '{"hello": "world", "id": 9}', 9, -32600, /^Invalid Request: not a JSON-RPC/],
  ['a batch', `[${JSON.stringify(ping(1))}]`, null, -32600, /batches/],
  [
    'a long method',
    JSON.stringify({ ...ping(7), method: 'x'.repeat(1025) }),
    7,
    -32600,
    /method may have at most 1024/,
  ],
  ['a long id', JSON.stringify({ ...ping(7), id: 'x'.repeat(1025) }), null, -32600, /id may have at most 1024/],
  ['a lone value', '42', null, -32600, /^Invalid Request/],
])('answers %s, and handles the next message', async (_what, line, id, code, message) => {
  const { input, transport, received, flushed, answers } = wire();
  await transport.start();
  input.write(`${line}\n${JSON.stringify(ping(2))}\n`);
  await flushed();
  expect(answers()).toEqual([{ jsonrpc: '2.0', id, error: { code, message: expect.stringMatching(message) } }]);
  expect(received).toEqual([ping(2)]);
});

test.each([
  ['first', (blob: string) => `{"jsonrpc":"2.0","id":77,"method":"m","params":{"blob":"${blob}"}}`],
  ['last', (blob: string) => `{"method":"m","params":{"id":1,"blob":"${blob}"},"jsonrpc":"2.0","id":77}`],
])('rejects a message that is too long by its id, written %s, and handles the next', async (_where, make) => {
  const { input, transport, received, flushed, answers } = wire();
  await transport.start();
  const line = make('x'.repeat(LARGEST_BYTES));
  for (let from = 0; from < line.length; from += 1 << 20) input.write(line.slice(from, from + (1 << 20)));
  input.write(`\n${JSON.stringify(ping(2))}\n`);
  await flushed();
  expect(answers()).toEqual([
    {
      jsonrpc: '2.0',
      id: 77,
      error: { code: -32600, message: expect.stringContaining(`this one has ${line.length}`) },
    },
  ]);
  expect(received).toEqual([ping(2)]);
});

test.each([
  ['nests too deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /nested at most 72 deep/],
  ['has too many keys', `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(',')}}`, /at most 21000 values/],
])('rejects a message that %s by its id before parsing, and handles the next', async (_what, args, limit) => {
  const { input, transport, received, flushed, answers } = wire();
  await transport.start();
  input.write(`{"jsonrpc":"2.0","id":77,"method":"m","params":${args}}\n${JSON.stringify(ping(2))}\n`);
  await flushed();
  expect(answers()).toEqual([
    { jsonrpc: '2.0', id: 77, error: { code: -32600, message: expect.stringMatching(limit) } },
  ]);
  expect(received).toEqual([ping(2)]);
});

test('answers a line that is not UTF-8, and handles the next', async () => {
  const { input, transport, received, flushed, answers } = wire();
  await transport.start();
  input.write(Buffer.concat([Buffer.alloc(1000, 0xf0), Buffer.from(`\n${JSON.stringify(ping(2))}\n`)]));
  await flushed();
  expect(answers()).toMatchObject([{ id: null, error: { code: -32700 } }]);
  expect(received).toEqual([ping(2)]);
});

test('closes the connection once when the input ends', async () => {
  const { input, transport, flushed } = wire();
  let closed = 0;
  transport.onclose = () => void closed++;
  await transport.start();
  input.end();
  await flushed();
  await transport.close();
  expect(closed).toBe(1);
  await expect(transport.send({ jsonrpc: '2.0', method: 'late' })).rejects.toThrow('closed');
});

test('closes the connection when the reader disappears, without ending the process', async () => {
  const { output, transport, flushed } = wire();
  let closed = false;
  transport.onclose = () => {
    closed = true;
  };
  await transport.start();
  output.destroy(new Error('EPIPE'));
  await flushed();
  expect(closed).toBe(true);
});
