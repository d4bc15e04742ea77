import { lookup as resolve } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { Failure, quote } from '../errors.ts';

const MOST_REDIRECTS = 5;
/** Public by their number, but answered by the machine below: Azure's host agent. */
const CLOUD_HOST_AGENTS = new Set(['168.63.129.16']);

/** Decides which addresses may be visited on behalf of a caller. */
export interface AddressGuard {
  /** Refuses an address that is not http(s), or whose host is, or resolves to, a place that only insiders may reach. */
  check(url: string | URL): Promise<void>;
  /** Fetches, checking every redirect, and connecting to no other address than one that was checked. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** For connections made by others: finds only addresses that may be visited. Undefined where all may. */
  lookup: LookupFunction | undefined;
}

interface PublicGuardOptions {
  /** Host names, addresses and ranges (10.0.0.0/8) that may be visited although they are inside. */
  allowed?: readonly string[];
  /** Looks up a name; the system's resolver unless a test says otherwise. */
  lookup?: (hostname: string) => Promise<{ address: string; family: number }[]>;
}

/** The guard for a caller: of the addresses inside, only those that are allowed, or all where nothing is said. */
export function createAddressGuard(inside: readonly string[] | undefined): AddressGuard {
  return inside ? createPublicAddressGuard({ allowed: inside }) : anyAddress;
}

/** For the user of this machine: localhost is what they test most. */
const anyAddress: AddressGuard = {
  async check(url) {
    parseWebUrl(url);
  },
  fetch: (url, init) => fetch(parseWebUrl(url), init),
  lookup: undefined,
};

/** For callers elsewhere: nothing inside, except what the operator allowed. */
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

  /** All addresses of a host, if every one of them may be visited. One bad one spoils the name: it may be a trap. */
  async function addressesOf(hostname: string): Promise<{ address: string; family: number }[]> {
    const bare = hostname.replace(/^\[|\]$/g, '');
    const family = isIP(bare);
    const found = family ? [{ address: bare, family }] : await lookup(bare);
    if (!names.has(bare.toLowerCase()) && !found.every(({ address }) => isAllowed(address)))
      throw addressNotAllowed(hostname);
    return found;
  }

  /** The connection asks here for its address, so what was checked and what is visited cannot differ. */
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
        `${quote(String(url))} redirects more than ${MOST_REDIRECTS} times.`,
      );
    },
  };
}

/** `::127.0.0.1`, the old way to carry an IPv4 address, is judged as what it carries. */
function unwrapIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const bytes = address.toByteArray();
  if (bytes.length !== 16 || bytes.slice(0, 12).some((byte) => byte !== 0)) return address;
  return ipaddr.fromByteArray(bytes.slice(12));
}

function parseWebUrl(url: string | URL): URL {
  const parsed = URL.parse(String(url));
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new Failure('bad_input', 'BAD_URL', `Only http and https addresses can be visited, got ${quote(String(url))}.`);
}

async function systemLookup(hostname: string): Promise<{ address: string; family: number }[]> {
  try {
    return await resolve(hostname, { all: true });
  } catch (error) {
    throw new Failure('site_failed', 'DNS', `The host ${quote(hostname)} cannot be found.`, {}, { cause: error });
  }
}

function addressNotAllowed(hostname: string): Failure {
  const message = `The address ${quote(hostname)} is inside the server's own network and may not be visited. The operator can allow it (allow-addresses).`;
  return new Failure('bad_input', 'ADDRESS_NOT_ALLOWED', message);
}
