import { generateKeyPairSync, sign } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { cleanPage } from './serve.ts';

/** Encodes a DER value: tag, length and content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const hex = (text: string) => Buffer.from(text, 'hex');
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);

/** Creates a key and a self-signed certificate. */
function selfSigned(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const signedBy = sequence(hex('06082a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from(host)))));
  const valid = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x18, Buffer.from('21200101000000Z')));
  const version = der(0xa0, hex('020102'));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const facts = sequence(version, hex('020101'), signedBy, name, valid, name, spki);
  const signature = der(0x03, hex('00'), sign('sha256', facts, privateKey));
  const body = sequence(facts, signedBy, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}

const answerPage: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(cleanPage('Home'));
};

/** Serves a site with a certificate that browsers do not trust. */
export async function serveSelfSigned(
  answer: RequestListener = answerPage,
): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(selfSigned('127.0.0.1'), answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `https://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
