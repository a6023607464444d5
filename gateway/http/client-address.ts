import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The address of the client. Empty after its socket is closed, although Fastify's type says that it is a string. */
export function addressOf(request: FastifyRequest): string {
  const address: string | undefined = request.ip;
  return address ?? '';
}

/**
 * The canonical spelling of an address: without a port, brackets or a zone, in lower case, and an IPv4 address in IPv6
 * form as IPv4. Proxies write X-Forwarded-For in all these ways. Any other text is returned unchanged.
 */
export function canonicalAddress(text: string): string {
  const address = withoutPort(text.trim()).replace(/%.*$/, '');
  if (!isIPv6(address)) return isIPv4(address) ? address : text;
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  return mappedV4(canonical) ?? canonical;
}

/** The network that an address is in: an IPv4 /24, or an IPv6 /48. Any other text is a network of its own. */
export function networkOf(address: string): string {
  const canonical = canonicalAddress(address);
  return isIPv4(canonical) ? `${canonical.slice(0, canonical.lastIndexOf('.'))}.0/24` : prefixOf(canonical, 48);
}

/** Addresses whose client is remembered. Finding it out takes a dozen regular expressions, for several limits. */
const REMEMBERED = 1024;
/** The longest text of an address, with a zone and a port. Other texts come from a proxy's header, and are not kept. */
const MAX_ADDRESS_CHARACTERS = 64;
const clients = new Map<string, string>();

/** The client that a rate limit counts: an IPv4 address, or an IPv6 /64, because a client may own all of it. */
export function clientOf(address: string): string {
  const known = clients.get(address);
  if (known !== undefined) return known;
  const canonical = canonicalAddress(address);
  const client = isIPv4(canonical) ? canonical : prefixOf(canonical, 64);
  if (address.length > MAX_ADDRESS_CHARACTERS) return client;
  if (clients.size >= REMEMBERED) clients.clear();
  clients.set(address, client);
  return client;
}

function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const [, v4] = /^([\d.]+):\d+$/.exec(text) ?? [];
  return bracketed ?? v4 ?? text;
}

/** The IPv4 address in a canonical IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2). */
function mappedV4(address: string): string | undefined {
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const bytes = [high, low].map((group) => Number.parseInt(group, 16)).flatMap((value) => [value >> 8, value & 255]);
  return bytes.join('.');
}

function prefixOf(address: string, bits: 48 | 64): string {
  if (!isIPv6(address)) return address;
  const gap = address.indexOf('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const head = groupsOf(gap === -1 ? address : address.slice(0, gap));
  const tail = gap === -1 ? [] : groupsOf(address.slice(gap + 2));
  const all = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return `${all.slice(0, bits / 16).join(':')}::/${bits}`;
}
