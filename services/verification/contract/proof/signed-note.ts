import { areSameBytes, concatBytes, fromBase64 } from './bytes.ts';
import { sha256 } from './sha256.ts';
import { isSignedBy, type VerificationKey } from './verification-key.ts';

/** Key names have no spaces and no plus signs (C2SP signed-note). Here they are ASCII, which has no look-alikes. */
export const ORIGIN_PATTERN = '[!-*,-~]{1,255}';

/** A note with its one signature, not verified yet. */
export interface SignedNote {
  /** The signed text, including its final newline. */
  readonly text: string;
  readonly keyName: string;
  /** `NOTE_KEY_HASH_BYTES` of the hash of `noteKeyInput`. It selects the key and proves nothing. */
  readonly keyHash: Uint8Array;
  readonly signature: Uint8Array;
}

/** A longer text could overflow the stack in the regular expression below. */
const MAX_CHARACTERS = 4096;

const NOTE = new RegExp(
  `^(?<text>[^\\p{Cc}](?:[^\\p{Cc}]|\\n)*\\n)\\n\\u2014 (?<name>${ORIGIN_PATTERN}) (?<sig>\\S+)\\n$`,
  'u',
);

export const NOTE_KEY_HASH_BYTES = 4;
const utf8 = new TextEncoder();

/** What is hashed for a note's key: name ‖ 0x0a ‖ 0x01 ‖ key. 0x01 means Ed25519. */
export function noteKeyInput(name: string, { raw }: Pick<VerificationKey, 'raw'>): Uint8Array<ArrayBuffer> {
  return concatBytes(utf8.encode(`${name}\n\x01`), raw);
}

/** Reads a note of at most 4096 characters with exactly one signature. @returns `undefined` for any other text */
export function parseNote(note: string): SignedNote | undefined {
  if (note.length > MAX_CHARACTERS) return undefined;
  const { text, name, sig } = NOTE.exec(note)?.groups ?? {};
  if (text === undefined || name === undefined || sig === undefined) return undefined;
  const bytes = fromBase64(sig);
  if (bytes?.length !== NOTE_KEY_HASH_BYTES + 64) return undefined;
  const [keyHash, signature] = [bytes.subarray(0, NOTE_KEY_HASH_BYTES), bytes.subarray(NOTE_KEY_HASH_BYTES)];
  return { text, keyName: name, keyHash, signature };
}

/** Whether `key` signed the note under `name`. */
export async function isNoteSignedBy(note: SignedNote, name: string, key: VerificationKey): Promise<boolean> {
  const keyHash = (await sha256(noteKeyInput(name, key))).subarray(0, NOTE_KEY_HASH_BYTES);
  const isKey = note.keyName === name && areSameBytes(keyHash, note.keyHash);
  return isKey && (await isSignedBy(key, utf8.encode(note.text), note.signature));
}
