import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import { COMMAND_LINES } from '../../../../services/platform/process/installation.ts';
import { readListenAddress } from '../../../../services/platform/process/listen-address.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const NODE_MAJOR = 24;
const GIB = 2 ** 30;
/** Free space below which PostgreSQL and Redis are close to refusing writes. */
const LOW_BYTES = 2 * GIB;
const EMPTY_BYTES = GIB / 4;

export function examineNode(version: string): Finding {
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  if (major === NODE_MAJOR) return ok('node.version', version);
  return failure('node.version', version, `run Tollhouse with Node ${NODE_MAJOR}, as ${COMMAND_LINES.start} does`);
}

/** Free space of the file system of a folder. */
export async function examineDisk(folder: string): Promise<Finding> {
  if (!existsSync(folder)) {
    return failure('disk.free', `there is no data folder ${folder}`, 'create it, or correct TOLLHOUSE_DATA');
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${(free / GIB).toFixed(1)} GiB are free at ${folder}`;
  const action = 'free space, or move TOLLHOUSE_DATA to a larger disk: a full disk stops trials and payments';
  if (free < EMPTY_BYTES) return failure('disk.free', found, action);
  return free < LOW_BYTES ? warning('disk.free', found, action) : ok('disk.free', found);
}

/** Addresses that strangers do not reach (RFC 1918, RFC 4193, RFC 6598). */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  PRIVATE.addSubnet(network, prefix);
}
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');

/** Whether strangers may reach the metrics. @param listen the value of ADMIN_LISTEN */
export function examineAdmin(listen: string | undefined): readonly Finding[] {
  if (!listen) return [];
  const address = readListenAddress(listen);
  if ('path' in address) return [];
  const { host } = address;
  const family = isIP(host);
  // What a name leads to is not known here.
  const isPrivate = family === 0 || PRIVATE.check(host, family === 4 ? 'ipv4' : 'ipv6');
  if (isPrivate) return [ok('gateway.admin', `ADMIN_LISTEN is ${listen}`)];
  const action =
    'set ADMIN_LISTEN to a socket, or to an address of this machine or a private network: it asks for no key';
  return [warning('gateway.admin', `ADMIN_LISTEN is ${listen}, which strangers may reach`, action)];
}
