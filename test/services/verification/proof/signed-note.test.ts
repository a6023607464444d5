import test from 'ava';
import { isNoteSignedBy, parseNote } from '../../../../services/verification/contract/proof/signed-note.ts';
import { signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { signNote } from '../../../../services/verification/proof/sign-note.ts';
import { defined } from '../../../../workers/exact/defined.ts';

/** The example of Go's package golang.org/x/mod/sumdb/note. The seed is in its private key. */
const SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
const PUBLIC = Buffer.from('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', 'base64').subarray(1);
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const NOTE = `${TEXT}\n${LINE}`;

const key = signingKeyFromSeed(SEED);

test("writes Go's example note byte for byte", (t) => {
  t.deepEqual(key.raw, new Uint8Array(PUBLIC));
  t.is(Buffer.from(defined(parseNote(NOTE)).keyHash).toString('hex'), 'c74f20a3');
  t.is(signNote(TEXT, 'PeterNeumann', key), NOTE);
});

test("reads and verifies Go's example note", async (t) => {
  const note = defined(parseNote(NOTE));
  t.is(note.text, TEXT);
  t.is(note.keyName, 'PeterNeumann');
  t.true(await isNoteSignedBy(note, 'PeterNeumann', key));
});

test('refuses a note for another name or another key', async (t) => {
  const note = defined(parseNote(NOTE));
  t.false(await isNoteSignedBy(note, 'Someone', key));
  t.false(await isNoteSignedBy({ ...note, keyName: 'Someone' }, 'Someone', key));
  t.false(await isNoteSignedBy({ ...note, keyName: 'Someone' }, 'PeterNeumann', key));
  t.false(await isNoteSignedBy(note, 'PeterNeumann', signingKeyFromSeed(Buffer.alloc(32))));
  t.false(await isNoteSignedBy({ ...note, text: note.text.replace('your', 'our') }, 'PeterNeumann', key));
});

test('the text of a note ends at the last empty line', (t) => {
  const text = 'one\n\ntwo\n';
  t.is(parseNote(signNote(text, 'a', key))?.text, text);
});

test('reads a note of 4096 characters and no longer one', (t) => {
  const room = 4096 - signNote('\n', 'a', key).length;
  t.is(parseNote(signNote(`${'x'.repeat(room)}\n`, 'a', key))?.text.length, room + 1);
  t.is(parseNote(signNote(`${'x'.repeat(room + 1)}\n`, 'a', key)), undefined);
  t.is(parseNote('a\n\n— a '.repeat(2e6)), undefined);
});

const signature = LINE.slice('— PeterNeumann '.length, -1);

const REFUSED: readonly (readonly [string, string])[] = [
  ['no signature', TEXT],
  ['no signature line', `${TEXT}\n`],
  ['no text', `\n${LINE}`],
  ['no blank line', `${TEXT}${LINE}`],
  ['two signatures', `${NOTE}${LINE}`],
  ['no newline at the end', NOTE.slice(0, -1)],
  ['a line after the signature', `${NOTE}\n`],
  ['a carriage return', NOTE.replaceAll('\n', '\r\n')],
  ['a tab in the text', NOTE.replace('If you', 'If\tyou')],
  ['a hyphen instead of the dash', NOTE.replace('—', '-')],
  ['two spaces', NOTE.replace('PeterNeumann ', 'PeterNeumann  ')],
  ['a plus sign in the name', NOTE.replace('PeterNeumann', 'Peter+Neumann')],
  ['no name', NOTE.replace('PeterNeumann ', '')],
  ['a signature without padding', NOTE.replace('AM=\n', 'AM\n')],
  ['a signature with unused bits set', NOTE.replace('AM=\n', 'AN=\n')],
  ['a signature that is too short', NOTE.replace(signature, Buffer.alloc(67).toString('base64'))],
  ['a signature that is too long', NOTE.replace(signature, Buffer.alloc(69).toString('base64'))],
];

for (const [name, note] of REFUSED) {
  test(`does not read a note with ${name}`, (t) => {
    t.not(note, NOTE);
    t.is(parseNote(note), undefined);
  });
}
