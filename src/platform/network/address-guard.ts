import { lookup as resolve } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { Failure, quote } from '../errors.ts';

const MOST_REDIRECTS = 5;
/** Public addresses that a cloud host answers itself: Azure's host agent. */
const CLOUD_HOST_AGENTS = new Set(['168.63.129.16']);

/** Decides which addresses may be visited for a caller. */
export interface AddressGuard {
  /** Throws a `Failure` for a URL that is not http(s), or whose host is or resolves to a private address. */
  check(url: string | URL): Promise<void>;
  /** Fetches a URL, checks every redirect, and connects only to checked addresses. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** DNS lookup for other connections; returns only allowed addresses. Undefined where all are allowed. */
  lookup: LookupFunction | undefined;
}

interface PublicGuardOptions {
  /** Private host names, addresses and ranges (10.0.0.0/8) that may be visited. */
  allowed?: readonly string[];
  /** Resolves a host name. Default: the system's resolver. */
  lookup?: (hostname: string) => Promise<{ address: string; family: number }[]>;
}

/** Creates the guard of a caller. `undefined` allows every address, a list only the private addresses in it. */
export function createAddressGuard(inside: readonly string[] | undefined): AddressGuard {
  return inside ? createPublicAddressGuard({ allowed: inside }) : anyAddress;
}

/** For local users, who mostly test localhost. */
const anyAddress: AddressGuard = {
  async check(url) {
    parseWebUrl(url);
  },
  fetch: (url, init) => fetch(parseWebUrl(url), init),
  lookup: undefined,
};

/** For remote callers: public addresses, and private ones that the operator allowed. */
export function createPublicAddressGuard({
  allowed = [],
  lookup = systemLookup,
}: PublicGuardOptions = {}): AddressGuard {
  const names = new Set(allowed.map((entry) => entry.toLowerCase()));
  const ranges = allowed.flatMap((entry) => (ipaddr.isValidCIDR(entry) ? [ipaddr.parseCIDR(entry)] : []));

  function isAllowed(address: string): boolean {
    const parsed = unwrapIpv4(ipaddr.process(address));
    if ((parsed.range() === 'unicast' && !CLOUD_HOST_AGENTS.has(parsed.toString())) || names.has(parsed.toString()))
      return true;
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  }

  /** Resolves a host. Throws if any of its addresses is not allowed, because such a name may be a rebinding attack. */
  async function addressesOf(hostname: string): Promise<{ address: string; family: number }[]> {
    const bare = hostname.replace(/^\[|\]$/g, '');
    const family = isIP(bare);
    const found = family ? [{ address: bare, family }] : await lookup(bare);
    if (!names.has(bare.toLowerCase()) && !found.every(({ address }) => isAllowed(address)))
      throw addressNotAllowed(hostname);
    return found;
  }

  /** The connection resolves its host here, so the checked and the visited address are the same. */
  const pinned: LookupFunction = (hostname, options, callback) => {
    addressesOf(hostname).then(
      (found) => {
        const [first] = found;
        if (options.all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
  const dispatcher = new Agent({ connect: { lookup: pinned } });

  async function check(url: string | URL): Promise<URL> {
    const parsed = parseWebUrl(url);
    await addressesOf(parsed.hostname);
    return parsed;
  }

  return {
    lookup: pinned,
    async check(url) {
      await check(url);
    },
    async fetch(url, init) {
      let next = url;
      for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
        const target = await check(next);
        const response = await fetch(target, { ...init, dispatcher, redirect: 'manual' });
        const location = response.headers.get('location');
        if (init?.redirect === 'manual' || response.status < 300 || response.status >= 400 || location === null)
          return response;
        await response.body?.cancel();
        next = new URL(location, target);
      }
      throw new Failure(
        'site_failed',
        'TOO_MANY_REDIRECTS',
        `${quote(String(url))} redirects more than ${MOST_REDIRECTS} times. Use the address that it redirects to.`,
      );
    },
  };
}

/** Returns the IPv4 address in an IPv4-compatible address such as `::127.0.0.1`. */
function unwrapIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const bytes = address.toByteArray();
  if (bytes.length !== 16 || bytes.slice(0, 12).some((byte) => byte !== 0)) return address;
  return ipaddr.fromByteArray(bytes.slice(12));
}

function parseWebUrl(url: string | URL): URL {
  const parsed = URL.parse(String(url));
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new Failure('bad_input', 'BAD_URL', `The URL must be http or https, got ${quote(String(url))}.`);
}

async function systemLookup(hostname: string): Promise<{ address: string; family: number }[]> {
  try {
    return await resolve(hostname, { all: true });
  } catch (error) {
    const message = `The host ${quote(hostname)} cannot be resolved. Check the spelling of the URL.`;
    throw new Failure('site_failed', 'DNS', message, {}, { cause: error });
  }
}

function addressNotAllowed(hostname: string): Failure {
  const message = `The host ${quote(hostname)} is in the server's private network and may not be visited. Ask the operator to allow it with --allow-addresses.`;
  return new Failure('bad_input', 'ADDRESS_NOT_ALLOWED', message);
}
