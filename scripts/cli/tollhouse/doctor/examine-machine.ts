import { statfs } from 'node:fs/promises';
import { type Finding, failure, ok, warning } from './finding.ts';

const NODE_MAJOR = 24;
const GIB = 2 ** 30;
/** Free space below which PostgreSQL and Redis are close to refusing writes. */
const LOW_BYTES = 2 * GIB;
const EMPTY_BYTES = GIB / 4;

export function examineNode(version: string): Finding {
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  if (major === NODE_MAJOR) return ok('node.version', version);
  return failure('node.version', version, `run Tollhouse with Node ${NODE_MAJOR}, as npm start does`);
}

/** Free space of the file system of a folder. */
export async function examineDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${(free / GIB).toFixed(1)} GiB are free at ${folder}`;
  const action = 'free space, or move TOLLHOUSE_DATA to a larger disk: a full disk stops trials and payments';
  if (free < EMPTY_BYTES) return failure('disk.free', found, action);
  return free < LOW_BYTES ? warning('disk.free', found, action) : ok('disk.free', found);
}
