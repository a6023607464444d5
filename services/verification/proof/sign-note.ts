import { hash } from 'node:crypto';
import { NOTE_KEY_HASH_BYTES, noteKeyInput } from '../contract/proof/signed-note.ts';
import { type SigningKey, signBytes } from './ed25519.ts';

/** Signs a note (C2SP signed-note). @returns the text, a blank line and the signature line */
export function signNote(text: string, name: string, key: SigningKey): string {
  const keyHash = hash('sha256', noteKeyInput(name, key), 'buffer').subarray(0, NOTE_KEY_HASH_BYTES);
  const signature = Buffer.concat([keyHash, signBytes(key, Buffer.from(text))]);
  return `${text}\n\u2014 ${name} ${signature.toString('base64')}\n`;
}
