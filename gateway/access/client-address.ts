import { isIPv4, isIPv6 } from 'node:net';

/** The network that an address is in: an IPv4 /24, or an IPv6 /48. What is not an address is a network of its own. */
export function networkOf(address: string): string {
  return prefixOf(address, 48);
}

/** Whom a rate limit counts: an IPv4 address, or an IPv6 /64, for a client may have all of it. */
export function clientOf(address: string): string {
  const v4 = mappedV4(address);
  return v4 ?? prefixOf(address, 64);
}

function mappedV4(address: string): string | undefined {
  const v4 = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  return isIPv4(v4) ? v4 : undefined;
}

function prefixOf(address: string, bits: 48 | 64): string {
  const v4 = mappedV4(address);
  if (v4 !== undefined) return `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`;
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return address;
  const [head = '', tail = ''] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const missing = plain.includes('::') ? 8 - groups.length - last.length : 0;
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...last];
  const kept = all.slice(0, bits / 16).map((group) => Number.parseInt(group, 16).toString(16));
  return `${kept.join(':')}::/${bits}`;
}
