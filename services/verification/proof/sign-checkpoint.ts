import type { Checkpoint } from '../contract/proof/checkpoint.ts';
import type { LogKey } from '../contract/proof/key-file.ts';
import { HASH_BYTES } from '../contract/proof/merkle-hash.ts';
import { ORIGIN_PATTERN } from '../contract/proof/signed-note.ts';
import type { SigningKey } from './ed25519.ts';
import { signNote } from './sign-note.ts';

const ORIGIN = new RegExp(`^${ORIGIN_PATTERN}$`);

/**
 * Signs a checkpoint: a note with three lines, which are origin, size in decimal and root in base64 (C2SP
 * tlog-checkpoint).
 * @throws {RangeError} for values that cannot be the head of a log and must never be signed
 */
export function signCheckpoint({ size, root }: Omit<Checkpoint, 'origin'>, log: LogKey<SigningKey>): string {
  if (!ORIGIN.test(log.origin)) throw new RangeError(`${log.origin} cannot name a log`);
  if (!Number.isSafeInteger(size) || size < 0 || root.length !== HASH_BYTES)
    throw new RangeError('not the head of a log');
  const text = `${log.origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
  return signNote(text, log.origin, log.key);
}
