import test from 'ava';
import {
  type Envelope,
  openEnvelope,
  preAuthenticationEncoding,
} from '../../../../services/verification/contract/proof/envelope.ts';
import { signBytes, signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { signEnvelope } from '../../../../services/verification/proof/sign-envelope.ts';

const key = signingKeyFromSeed(Buffer.alloc(32, 1));
const other = signingKeyFromSeed(Buffer.alloc(32, 2));
const payload = Buffer.from('{"a":"è"}');
const envelope = signEnvelope(payload, key);
const [signature] = envelope.signatures;

test('the pre-authentication encoding matches the published example', (t) => {
  const encoded = preAuthenticationEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));
  t.is(Buffer.from(encoded).toString(), 'DSSEv1 29 http://example.com/HelloWorld 11 hello world');
});

test('the encoding counts bytes, not characters', (t) => {
  t.is(Buffer.from(preAuthenticationEncoding('é', Buffer.from('ü'))).toString(), 'DSSEv1 2 é 2 ü');
});

test('the signature of an envelope covers the encoding of its type and payload', async (t) => {
  const signed = preAuthenticationEncoding('application/vnd.in-toto+json', payload);
  t.deepEqual(envelope, {
    payloadType: 'application/vnd.in-toto+json',
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.keyid, sig: signBytes(key, signed).toString('base64') }],
  });
  t.deepEqual(await openEnvelope(envelope, [other, key]), { payload: new Uint8Array(payload), signed });
});

test('refuses an envelope of an untrusted key', async (t) => {
  await t.throwsAsync(async () => openEnvelope(envelope, [other]), { code: 'ISSUER_UNKNOWN' });
  await t.throwsAsync(async () => openEnvelope(envelope, []), { code: 'ISSUER_UNKNOWN' });
});

test('refuses an envelope that names a trusted key which did not sign it', async (t) => {
  const swapped: Envelope = { ...envelope, signatures: [{ ...signature, keyid: other.keyid }] };
  await t.throwsAsync(async () => openEnvelope(swapped, [other, key]), { code: 'SIGNATURE_INVALID' });
});

test('refuses a signature of the payload without its type', async (t) => {
  const sig = signBytes(key, payload).toString('base64');
  const bare: Envelope = { ...envelope, signatures: [{ ...signature, sig }] };
  await t.throwsAsync(async () => openEnvelope(bare, [key]), { code: 'SIGNATURE_INVALID' });
});

test('refuses a signature of another payload', async (t) => {
  const changed = { ...envelope, payload: Buffer.from('{"a":"e"}').toString('base64') };
  await t.throwsAsync(async () => openEnvelope(changed, [key]), { code: 'SIGNATURE_INVALID' });
});

for (const [name, spell] of [
  ['without padding', (text: string) => text.replaceAll('=', '')],
  ['in the URL alphabet', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
  ['with a newline', (text: string) => `${text}\n`],
  [
    'with unused bits set',
    (text: string) => text.replace(/A==$/, 'B==').replace(/Q==$/, 'R==').replace(/g==$/, 'h==').replace(/w==$/, 'x=='),
  ],
] as const) {
  test(`refuses a signature ${name}, although it decodes to the same bytes`, async (t) => {
    const sig = spell(signature.sig);
    t.deepEqual(Buffer.from(sig, 'base64'), Buffer.from(signature.sig, 'base64'));
    t.not(sig, signature.sig);
    const respelt: Envelope = { ...envelope, signatures: [{ ...signature, sig }] };
    await t.throwsAsync(async () => openEnvelope(respelt, [key]), { code: 'PROOF_MALFORMED' });
  });
}

test('refuses a payload that is not canonical base64', async (t) => {
  await t.throwsAsync(async () => openEnvelope({ ...envelope, payload: `${envelope.payload}\n` }, [key]), {
    code: 'PROOF_MALFORMED',
  });
});
