import { createHash } from 'node:crypto';
import { decodeBase64 } from '../../platform/base64.ts';
import { isSignedBy, type SigningKey, signBytes, type VerificationKey } from './ed25519.ts';

/** Key names hold neither spaces nor plus signs (C2SP signed-note); here nothing but ASCII, which has no look-alikes. */
export const ORIGIN_PATTERN = '[!-*,-~]{1,255}';

/** A note with the one signature that it has; nothing of it is verified. */
export interface SignedNote {
  /** Ends in a newline, which is signed. */
  readonly text: string;
  readonly keyName: string;
  /** The first four bytes of what `noteKeyHash` hashes: says which key, and proves nothing. */
  readonly keyHash: Buffer;
  readonly signature: Buffer;
}

/** A longer text can take the expression below beyond the stack. */
const MAX_CHARACTERS = 4096;

const NOTE = new RegExp(
  `^(?<text>[^\\p{Cc}](?:[^\\p{Cc}]|\\n)*\\n)\\n\\u2014 (?<name>${ORIGIN_PATTERN}) (?<sig>\\S+)\\n$`,
  'u',
);

/** SHA-256(name ‖ 0x0a ‖ 0x01 ‖ key), of which four bytes are left: 0x01 stands for Ed25519. */
export function noteKeyHash(name: string, key: VerificationKey): Buffer {
  return createHash('sha256').update(`${name}\n\x01`).update(key.raw).digest().subarray(0, 4);
}

/** @returns the text, a blank line and the signature line */
export function signNote(text: string, name: string, key: SigningKey): string {
  const signature = signBytes(key, Buffer.from(text));
  return `${text}\n\u2014 ${name} ${Buffer.concat([noteKeyHash(name, key), signature]).toString('base64')}\n`;
}

/** Reads a note of at most 4096 characters that has exactly one signature. @returns `undefined` for any other text */
export function parseNote(note: string): SignedNote | undefined {
  if (note.length > MAX_CHARACTERS) return undefined;
  const { text, name, sig } = NOTE.exec(note)?.groups ?? {};
  if (text === undefined || name === undefined || sig === undefined) return undefined;
  const bytes = decodeBase64(sig);
  if (bytes?.length !== 4 + 64) return undefined;
  return { text, keyName: name, keyHash: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

/** Whether the note's signature is that of `key` under `name`. */
export function isNoteSignedBy(note: SignedNote, name: string, key: VerificationKey): boolean {
  const isKey = note.keyName === name && noteKeyHash(name, key).equals(note.keyHash);
  return isKey && isSignedBy(key, Buffer.from(note.text), note.signature);
}
