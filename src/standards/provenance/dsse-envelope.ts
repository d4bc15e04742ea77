import * as z from 'zod';
import { canonicalJson } from './canonical-json.ts';
import { isSignedBy, keyId, type PublicKey, type Signer } from './signing.ts';

const payloadType = 'application/vnd.in-toto+json';

const envelopeSchema = z.object({
  payloadType: z.literal(payloadType),
  payload: z.string(),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.string() })).min(1),
});
export type DsseEnvelope = z.output<typeof envelopeSchema>;

/** Signs an in-toto statement. */
export function signStatement(statement: unknown, signer: Signer): DsseEnvelope {
  const payload = Buffer.from(canonicalJson(statement));
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyId(signer.publicKey), sig: signer.sign(preAuthEncoding(payload)) }],
  };
}

export type OpenedEnvelope = { statement: unknown; key: PublicKey } | 'not-an-envelope' | 'not-signed';

/** Returns the statement of an envelope that one of the keys signed. Bytes are parsed only after their signature is verified. */
export function openEnvelope(text: string, keys: readonly PublicKey[]): OpenedEnvelope {
  const envelope = envelopeSchema.safeParse(parseJsonOrUndefined(text));
  if (!envelope.success) return 'not-an-envelope';
  const payload = Buffer.from(envelope.data.payload, 'base64');
  const signed = preAuthEncoding(payload);
  // The key id is only a hint; one of the signatures must be valid.
  const key = keys.find((one) =>
    envelope.data.signatures.some(({ sig }) => isSignedBy(one, signed, toStandardBase64(sig))),
  );
  return key === undefined ? 'not-signed' : { statement: parseJsonOrUndefined(payload.toString('utf8')), key };
}

/** The signed bytes: type and payload, each with its length, so that they cannot be confused. */
function preAuthEncoding(payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

/** Envelopes may use URL-safe base64. */
const toStandardBase64 = (text: string) => Buffer.from(text, 'base64').toString('base64');

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
