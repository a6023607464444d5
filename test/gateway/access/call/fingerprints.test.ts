import { createHash } from 'node:crypto';
import test from 'ava';
import { digestBody } from '../../../../gateway/access/call/body-digest.ts';
import { createFingerprints } from '../../../../gateway/access/call/fingerprints.ts';
import { geocode } from '../../../../gateway/operations/geocode/operation.ts';
import { htmlToMarkdown } from '../../../../gateway/operations/html-to-markdown/operation.ts';

const [ofOne, ofOther] = [createFingerprints(Buffer.alloc(32, 1)), createFingerprints(Buffer.alloc(32, 2))];
const request = { operation: geocode, body: { query: 'Berlin', limit: 1 } };
const text = `POST ${geocode.path} ${digestBody(request.body)}`;

test('a request has one fingerprint, whatever the order of its members', (t) => {
  const fingerprint = ofOne.ofRequest(request);
  t.regex(fingerprint, /^[0-9a-f]{64}$/);
  t.is(ofOne.ofRequest({ operation: geocode, body: { limit: 1, query: 'Berlin' } }), fingerprint);
  t.not(ofOne.ofRequest({ operation: htmlToMarkdown, body: request.body }), fingerprint);
  t.not(ofOne.ofRequest({ operation: geocode, body: { query: 'Berlin', limit: 2 } }), fingerprint);
});

test('a fingerprint cannot be computed without the key', (t) => {
  t.not(ofOther.ofRequest(request), ofOne.ofRequest(request));
  t.not(ofOther.ofIdentifier('order-4711'), ofOne.ofIdentifier('order-4711'));
  t.not(ofOther.ofNetwork('192.0.2.0/24'), ofOne.ofNetwork('192.0.2.0/24'));
  for (const guess of [text, `request\0${text}`]) {
    t.not(ofOne.ofRequest(request), createHash('sha256').update(guess).digest('hex'));
  }
});

test('the check value of a key is the same in every gateway, and belongs to one key', (t) => {
  t.is(createFingerprints(Buffer.alloc(32, 1)).keyCheck, ofOne.keyCheck);
  t.not(ofOther.keyCheck, ofOne.keyCheck);
  t.regex(ofOne.keyCheck, /^[0-9a-f]{64}$/);
});

test('the fingerprint of an identifier or a network is never that of a request', (t) => {
  t.not(ofOne.ofIdentifier(text), ofOne.ofRequest(request));
  t.not(ofOne.ofNetwork(text), ofOne.ofIdentifier(text));
});
