import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether every address of a host is this machine. */
export async function isLoopback(hostname: string): Promise<boolean> {
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  return found.length > 0 && found.every(({ address }) => loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));
}
