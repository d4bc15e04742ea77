import { connect, type Socket } from 'node:net';

const MIB = 1024 * 1024;
/** Just within the default of --max-message-bytes over HTTP. */
const LARGEST = 4 * MIB;

export interface Attack {
  name: string;
  /** How many at once, again and again until the time is up; held ones are opened once and left open. */
  parallel: number;
  held?: boolean;
  /** What is sent behind the head of a request; without it, nothing is sent at all. */
  body?: () => Buffer;
  /** The length that the head announces, if it is not that of the body. */
  announced?: number;
  chunked?: boolean;
}

const nested = (bytes: number) => Buffer.from(`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`);
const keys = (count: number) => Buffer.from(`{${Array.from({ length: count }, (_, i) => `"key${i}":1`).join(',')}}`);
const call = (args: string) =>
  Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":${args}}}`);
const oneByteChunks = Buffer.from('1\r\n \r\n'.repeat(100_000));

export const attacks: Attack[] = [
  { name: 'no attack', parallel: 0 },
  { name: 'nested arrays, 16 MB', parallel: 8, body: () => nested(16 * MIB) },
  { name: '1.2 million keys, 16 MB', parallel: 8, body: () => keys(1_200_000) },
  { name: 'nested arrays, 4 MiB', parallel: 8, body: () => nested(LARGEST) },
  { name: '280,000 keys, 4 MiB', parallel: 8, body: () => keys(280_000) },
  { name: '20,000 wrong arguments', parallel: 8, body: () => call(`{"text":[${'{},'.repeat(10_000)}0]}`) },
  { name: '4 MiB of escapes in one argument', parallel: 8, body: () => call(`{"text":"${'\\n'.repeat(2_050_000)}"}`) },
  { name: '4 MiB that are not UTF-8', parallel: 8, body: () => Buffer.alloc(LARGEST, 0xf0) },
  { name: 'chunks of one byte', parallel: 8, body: () => oneByteChunks, chunked: true },
  {
    name: '80 held bodies, 16 MB',
    parallel: 80,
    held: true,
    body: () => Buffer.alloc(16 * MIB - 1, 0x20),
    announced: 16 * MIB,
  },
  {
    name: '80 held bodies, 4 MiB',
    parallel: 80,
    held: true,
    body: () => Buffer.alloc(LARGEST - 1, 0x20),
    announced: LARGEST,
  },
  { name: '2,500 idle sockets', parallel: 2500, held: true },
];

export interface Damage {
  /** Answers by their status; `none` where the connection was closed without one. */
  answers: Record<string, number>;
  /** Bytes of bodies that the server has taken and not answered. */
  heldBytes: number;
}

/** Carries out an attack until the time is up, and says what became of it. */
export async function carryOut(attack: Attack, url: string, token: string, untilMs: number): Promise<Damage> {
  const { hostname, port } = new URL(url);
  const damage: Damage = { answers: {}, heldBytes: 0 };
  const body = attack.body?.();
  const head = body ? headOf(attack, body.length, token) : '';
  const sockets = new Set<Socket>();
  const lanes = Array.from({ length: attack.parallel }, async () => {
    do await one();
    while (!attack.held && Date.now() < untilMs);
  });
  await Promise.all(lanes);
  for (const socket of sockets) socket.destroy();
  return damage;

  async function one(): Promise<void> {
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    const ended = Promise.withResolvers<string>();
    socket.once('data', (data) => ended.resolve(String(data).slice(9, 12)));
    socket.on('error', () => ended.resolve('none'));
    socket.on('close', () => ended.resolve('none'));
    setTimeout(() => ended.resolve('held'), Math.max(0, untilMs - Date.now())).unref();
    if (body) {
      socket.write(head);
      socket.write(body);
    }
    const answer = await ended.promise;
    damage.answers[answer] = (damage.answers[answer] ?? 0) + 1;
    if (answer === 'held') damage.heldBytes += Math.max(0, socket.bytesWritten - socket.writableLength - head.length);
    else socket.destroy();
    sockets.delete(socket);
    if (answer === 'held') socket.destroy();
  }
}

function headOf({ announced, chunked }: Attack, length: number, token: string): string {
  return [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${announced ?? length}`,
    '',
    '',
  ].join('\r\n');
}
