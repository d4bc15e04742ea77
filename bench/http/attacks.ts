import { connect, type Socket } from 'node:net';

const MIB = 1024 * 1024;
/** The default of --max-message-bytes over HTTP. */
const MAX_BODY_BYTES = 4 * MIB;

export interface Attack {
  name: string;
  /** Number of concurrent requests, repeated until the end time. */
  parallel: number;
  isPending?: boolean;
  /** Body of the request; without it nothing is sent. */
  body?: () => Buffer;
  /** Content-Length, when it differs from the length of the body. */
  announcedLength?: number;
  chunked?: boolean;
  /** Scope of the attacker's token, where the attack goes beyond the check of scopes. */
  scope?: string;
}

const nested = (bytes: number) => Buffer.from(`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`);
const keys = (count: number) => Buffer.from(`{${Array.from({ length: count }, (_, i) => `"key${i}":1`).join(',')}}`);
const call = (args: string) =>
  Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":${args}}}`);
const unknownArguments = `{"text":"",${Array.from({ length: 10_000 }, (_, i) => `"key${i}":1`).join(',')}}`;
/** Allows the tool `say`. */
const scope = 'echo:read';
const oneByteChunks = Buffer.from('1\r\n \r\n'.repeat(100_000));

export const attacks: Attack[] = [
  { name: 'no attack', parallel: 0 },
  { name: 'nested arrays, 16 MB', parallel: 8, body: () => nested(16 * MIB) },
  { name: '1.2 million keys, 16 MB', parallel: 8, body: () => keys(1_200_000) },
  { name: 'nested arrays, 4 MiB', parallel: 8, body: () => nested(MAX_BODY_BYTES) },
  { name: '280,000 keys, 4 MiB', parallel: 8, body: () => keys(280_000) },
  { name: '10,000 wrong arguments', parallel: 8, scope, body: () => call(`{"text":[${'{},'.repeat(10_000)}0]}`) },
  { name: '10,000 unknown arguments', parallel: 8, scope, body: () => call(unknownArguments) },
  {
    name: '4 MiB of escapes in one argument',
    parallel: 8,
    scope,
    body: () => call(`{"text":"${'\\n'.repeat(2_050_000)}"}`),
  },
  { name: '4 MiB that are not UTF-8', parallel: 8, body: () => Buffer.alloc(MAX_BODY_BYTES, 0xf0) },
  { name: 'chunks of one byte', parallel: 8, body: () => oneByteChunks, chunked: true },
  {
    name: '80 pending bodies, 16 MB',
    parallel: 80,
    isPending: true,
    body: () => Buffer.alloc(16 * MIB - 1, 0x20),
    announcedLength: 16 * MIB,
  },
  {
    name: '80 pending bodies, 4 MiB',
    parallel: 80,
    isPending: true,
    body: () => Buffer.alloc(MAX_BODY_BYTES - 1, 0x20),
    announcedLength: MAX_BODY_BYTES,
  },
  { name: '2,500 idle sockets', parallel: 2500, isPending: true },
];

export interface AttackResult {
  /** Number of responses by status; `none` when the connection was closed without a response. */
  answers: Record<string, number>;
  /** Body bytes that the server received without a response. */
  pendingBytes: number;
}

/** Runs an attack until the end time and counts the responses. */
export async function runAttack(attack: Attack, url: string, token: string, untilMs: number): Promise<AttackResult> {
  const { hostname, port } = new URL(url);
  const result: AttackResult = { answers: {}, pendingBytes: 0 };
  const body = attack.body?.();
  const head = body ? requestHead(attack, body.length, token) : '';
  const sockets = new Set<Socket>();
  const clients = Array.from({ length: attack.parallel }, async () => {
    do await sendOnce();
    while (!attack.isPending && Date.now() < untilMs);
  });
  await Promise.all(clients);
  for (const socket of sockets) socket.destroy();
  return result;

  async function sendOnce(): Promise<void> {
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    const ended = Promise.withResolvers<string>();
    socket.once('data', (data) => ended.resolve(String(data).slice(9, 12)));
    socket.on('error', () => ended.resolve('none'));
    socket.on('close', () => ended.resolve('none'));
    setTimeout(() => ended.resolve('pending'), Math.max(0, untilMs - Date.now())).unref();
    if (body) {
      socket.write(head);
      socket.write(body);
    }
    const answer = await ended.promise;
    result.answers[answer] = (result.answers[answer] ?? 0) + 1;
    if (answer === 'pending')
      result.pendingBytes += Math.max(0, socket.bytesWritten - socket.writableLength - head.length);
    else socket.destroy();
    sockets.delete(socket);
    if (answer === 'pending') socket.destroy();
  }
}

function requestHead({ announcedLength, chunked }: Attack, length: number, token: string): string {
  return [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${announcedLength ?? length}`,
    '',
    '',
  ].join('\r\n');
}
