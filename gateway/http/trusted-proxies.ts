import { BlockList, isIP } from 'node:net';
import { ConfigurationError } from '../../services/platform/process/environment.ts';
import { canonicalAddress } from './client-address.ts';

/** Whether the proxy at an address is trusted: the gateway believes its X-Forwarded-For. */
export type TrustsAddress = (address: string) => boolean;

const FAMILIES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 4: 'ipv4', 6: 'ipv6' };
const MAX_PREFIX = { ipv4: 32, ipv6: 128 } as const;

/** @throws {ConfigurationError} for an entry that is neither an address nor a CIDR. */
export function trustProxies(cidrs: readonly string[]): TrustsAddress {
  const trusted = new BlockList();
  for (const cidr of cidrs) addSubnet(trusted, cidr);
  return (text) => {
    const address = canonicalAddress(text);
    const family = FAMILIES[isIP(address)];
    return family !== undefined && trusted.check(address, family);
  };
}

function addSubnet(list: BlockList, cidr: string): void {
  const [, address, prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(cidr) ?? [];
  const family = address === undefined ? undefined : FAMILIES[isIP(address)];
  if (address !== undefined && family !== undefined) {
    const bits = prefix === undefined ? MAX_PREFIX[family] : Number(prefix);
    if (bits <= MAX_PREFIX[family]) {
      list.addSubnet(address, bits, family);
      return;
    }
  }
  throw new ConfigurationError(
    `TRUST_PROXY: found ${JSON.stringify(cidr)}; each entry is an address or a CIDR such as 10.0.0.0/8`,
  );
}
