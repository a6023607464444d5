import { createHash } from 'node:crypto';
import { decodeBase64 } from '../../platform/base64.ts';
import { isSignedBy, type SigningKey, signBytes, type VerificationKey } from './ed25519.ts';

/** Key names have no spaces and no plus signs (C2SP signed-note). Here they are ASCII, which has no look-alikes. */
export const ORIGIN_PATTERN = '[!-*,-~]{1,255}';

/** A note with its one signature, not verified yet. */
export interface SignedNote {
  /** The signed text, including its final newline. */
  readonly text: string;
  readonly keyName: string;
  /** Result of `noteKeyHash`. It selects the key and proves nothing. */
  readonly keyHash: Buffer;
  readonly signature: Buffer;
}

/** A longer text could overflow the stack in the regular expression below. */
const MAX_CHARACTERS = 4096;

const NOTE = new RegExp(
  `^(?<text>[^\\p{Cc}](?:[^\\p{Cc}]|\\n)*\\n)\\n\\u2014 (?<name>${ORIGIN_PATTERN}) (?<sig>\\S+)\\n$`,
  'u',
);

/** The first four bytes of SHA-256(name ‖ 0x0a ‖ 0x01 ‖ key). 0x01 means Ed25519. */
export function noteKeyHash(name: string, key: VerificationKey): Buffer {
  return createHash('sha256').update(`${name}\n\x01`).update(key.raw).digest().subarray(0, 4);
}

/** @returns the text, a blank line and the signature line */
export function signNote(text: string, name: string, key: SigningKey): string {
  const signature = signBytes(key, Buffer.from(text));
  return `${text}\n\u2014 ${name} ${Buffer.concat([noteKeyHash(name, key), signature]).toString('base64')}\n`;
}

/** Reads a note of at most 4096 characters with exactly one signature. @returns `undefined` for any other text */
export function parseNote(note: string): SignedNote | undefined {
  if (note.length > MAX_CHARACTERS) return undefined;
  const { text, name, sig } = NOTE.exec(note)?.groups ?? {};
  if (text === undefined || name === undefined || sig === undefined) return undefined;
  const bytes = decodeBase64(sig);
  if (bytes?.length !== 4 + 64) return undefined;
  return { text, keyName: name, keyHash: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

/** Whether `key` signed the note under `name`. */
export function isNoteSignedBy(note: SignedNote, name: string, key: VerificationKey): boolean {
  const isKey = note.keyName === name && noteKeyHash(name, key).equals(note.keyHash);
  return isKey && isSignedBy(key, Buffer.from(note.text), note.signature);
}
