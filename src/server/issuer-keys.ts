import { setTimeout as pause } from 'node:timers/promises';
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import * as z from 'zod';

export interface IssuerKeysOptions {
  issuer: string;
  /** Lifetime of a fetched key set, and so the time for which a removed key is still accepted. */
  maxAgeMs?: number | undefined;
  /** Shortest interval between fetches. A token with an unknown key id waits for the next one. */
  intervalMs?: number | undefined;
}

/** Together with the fetch itself, a removed key is rejected within a minute. */
const MAX_AGE_MS = 50_000;
const INTERVAL_MS = 1000;
const LARGEST_DOCUMENT_BYTES = 512 * 1024;
const TIME_LIMIT_MS = 5000;

const providerMetadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** The published keys of an issuer, as they were fetched at one time. */
export interface KeySet {
  /** The issuer as it names itself. */
  issuer: string;
  isFresh(): boolean;
}

export interface IssuerKeys {
  /** Returns a fresh key set. Rejects when the issuer cannot be reached. */
  current(): Promise<KeySet>;
  /** Finds the key of a token, with the set that holds it. Throws an error of jose for an unknown key. */
  find(header: JWSHeaderParameters, jws: FlattenedJWSInput): Promise<{ key: CryptoKey; set: KeySet }>;
}

interface FetchedKeySet extends KeySet {
  find: ReturnType<typeof createLocalJWKSet>;
  /** When its fetch began, by the monotonic clock. */
  requestedAt: number;
}

/**
 * Fetches the metadata and published keys of an issuer. An unknown key id fetches them again, so that a new key is accepted
 * as soon as it is published; forged key ids and failures share one fetch per interval. jose's remote key set does not tell
 * which fetch a key is from, and a token may be remembered only as long as the key set that verified it.
 */
export function createIssuerKeys(options: IssuerKeysOptions): IssuerKeys {
  const { issuer, maxAgeMs = MAX_AGE_MS, intervalMs = INTERVAL_MS } = options;
  let lastFetchAt = Number.NEGATIVE_INFINITY;
  let newest: FetchedKeySet | undefined;
  let loading: Promise<FetchedKeySet> | undefined;

  async function fetchKeys(): Promise<FetchedKeySet> {
    await pause(Math.max(0, lastFetchAt + intervalMs - performance.now()));
    const requestedAt = performance.now();
    lastFetchAt = requestedAt;
    // The age counts from the begin of the fetch, because a key may be removed while the response is on its way.
    const isFresh = freshFor(maxAgeMs);
    const metadata = await discover(issuer);
    // jose checks the shape, and throws JWKSInvalid.
    const find = createLocalJWKSet((await fetchJson(metadata.jwks_uri)) as JSONWebKeySet);
    newest = { issuer: metadata.issuer, find, requestedAt, isFresh };
    return newest;
  }

  function load(): Promise<FetchedKeySet> {
    loading ??= fetchKeys().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  const current = async () => (newest?.isFresh() ? newest : load());

  return {
    current,
    async find(header, jws) {
      const arrivedAt = performance.now();
      let set = await current();
      for (;;) {
        try {
          return { key: await set.find(header, jws), set };
        } catch (error) {
          // Keys that were fetched before the token arrived may lack its key.
          if (!(error instanceof errors.JWKSNoMatchingKey) || set.requestedAt >= arrivedAt) throw error;
          set = await load();
        }
      }
    },
  };
}

/**
 * Starts an interval that ends by the clock that comes first: the wall clock may be set back, and the monotonic clock stands
 * still while the machine is suspended.
 */
function freshFor(ms: number): () => boolean {
  const monotonicEnd = performance.now() + ms;
  const wallEnd = Date.now() + ms;
  return () => performance.now() < monotonicEnd && Date.now() < wallEnd;
}

async function discover(issuer: string): Promise<z.infer<typeof providerMetadata>> {
  const base = issuer.replace(/\/$/, '');
  const found = await fetchJson(`${base}/.well-known/openid-configuration`).catch(() =>
    fetchJson(
      new URL(`/.well-known/oauth-authorization-server${new URL(base).pathname}`.replace(/\/$/, ''), base).href,
    ),
  );
  const { data: metadata, error } = providerMetadata.safeParse(found);
  if (!metadata) throw new Error(`the metadata of ${base} is not valid`, { cause: error });
  if (metadata.issuer.replace(/\/$/, '') !== base)
    throw new Error(`the metadata of ${base} names the issuer ${metadata.issuer}`);
  if (base.startsWith('https:') && !metadata.jwks_uri.startsWith('https:'))
    throw new Error(`the metadata of ${base} names keys without https: ${metadata.jwks_uri}`);
  return metadata;
}

async function fetchJson(url: string): Promise<unknown> {
  // A cache between the issuer and this server would keep a removed key.
  const options = { signal: AbortSignal.timeout(TIME_LIMIT_MS), redirect: 'error', cache: 'no-store' } as const;
  const response = await readBounded(await fetch(url, options));
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

/** Reads a response to its end, up to a size limit. */
async function readBounded(response: Response): Promise<Response> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > LARGEST_DOCUMENT_BYTES) throw new Error(`the document has more than ${LARGEST_DOCUMENT_BYTES} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: response.status, headers: response.headers });
}
