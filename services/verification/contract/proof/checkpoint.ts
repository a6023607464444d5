import { fromBase64 } from './bytes.ts';
import type { LogKey } from './key-file.ts';
import { HASH_BYTES } from './merkle-hash.ts';
import { isConsistent } from './merkle-proof.ts';
import { ProofError } from './proof-error.ts';
import { isNoteSignedBy, ORIGIN_PATTERN, parseNote } from './signed-note.ts';

/** The head of a log: its tree when it had `size` leaves. */
export interface Checkpoint {
  /** Name of the log, and key name of its signature. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

const TEXT = new RegExp(`^(?<origin>${ORIGIN_PATTERN})\\n(?<size>0|[1-9][0-9]{0,15})\\n(?<root>\\S{44})\\n$`);

/**
 * Reads a checkpoint that one of `logs` signed under its own origin. Extension lines and other signatures are refused,
 * because nobody would check those bytes.
 * @throws {ProofError} CHECKPOINT_MALFORMED, LOG_UNKNOWN, CHECKPOINT_SIGNATURE_INVALID
 */
export async function openCheckpoint(signed: string, logs: readonly LogKey[]): Promise<Checkpoint> {
  const note = parseNote(signed);
  const checkpoint = note && parseText(note.text);
  if (note === undefined || checkpoint === undefined || note.keyName !== checkpoint.origin) {
    throw new ProofError('CHECKPOINT_MALFORMED', 'the checkpoint is not origin, size, root and one signature');
  }
  const trusted = logs.filter(({ origin }) => origin === checkpoint.origin);
  if (trusted.length === 0) throw new ProofError('LOG_UNKNOWN', `no trusted log is named ${checkpoint.origin}`);
  const areSigners = await Promise.all(trusted.map(({ origin, key }) => isNoteSignedBy(note, origin, key)));
  if (!areSigners.includes(true)) {
    throw new ProofError('CHECKPOINT_SIGNATURE_INVALID', 'the log did not sign this checkpoint');
  }
  return checkpoint;
}

function parseText(text: string): Checkpoint | undefined {
  const { origin, size, root } = TEXT.exec(text)?.groups ?? {};
  if (origin === undefined || size === undefined || root === undefined) return undefined;
  const bytes = fromBase64(root);
  if (bytes?.length !== HASH_BYTES || !Number.isSafeInteger(Number(size))) return undefined;
  return { origin, size: Number(size), root: bytes };
}

/**
 * Whether one tree is the beginning of the other, in either order. A log that shows different trees to different people
 * (a split view) has no proof of it.
 * @param proof from the smaller to the larger one; empty for equal sizes
 */
export async function areConsistent(
  one: Checkpoint,
  other: Checkpoint,
  proof: readonly Uint8Array[],
): Promise<boolean> {
  const [first, second] = one.size <= other.size ? [one, other] : [other, one];
  const sizes = { first: first.size, firstRoot: first.root, second: second.size, secondRoot: second.root };
  return one.origin === other.origin && (await isConsistent({ ...sizes, proof }));
}
