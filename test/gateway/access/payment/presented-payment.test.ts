import test from 'ava';
import { readPaymentHeader, readPaymentPayload } from '../../../../gateway/access/payment/presented-payment.ts';

const ID = 'ticket_0123456789';
const identified = (id: unknown) => ({ x402Version: 2, extensions: { 'payment-identifier': { info: { id } } } });

test('optional members may be null', (t) => {
  for (const payload of [
    { x402Version: 2, extensions: null, resource: null, accepted: { extra: null } },
    { x402Version: 2, extensions: { 'payment-identifier': null } },
    { x402Version: 2, extensions: { 'payment-identifier': { info: null, schema: null } } },
    identified(null),
  ]) {
    const header = Buffer.from(JSON.stringify(payload)).toString('base64');
    for (const read of [readPaymentHeader(header), readPaymentPayload(payload)]) {
      t.like(read, { version: 2, identifier: undefined, offerSecret: undefined });
      t.deepEqual(read.payload, payload);
    }
  }
});

test('an identifier is read, and one of another form is malformed', (t) => {
  t.is(readPaymentPayload(identified(ID)).identifier, ID);
  for (const id of [1, '', 'short', {}]) {
    t.throws(() => readPaymentPayload(identified(id)), { code: 'MALFORMED_PAYMENT' });
  }
});

test('a payment is bounded in size and in depth', (t) => {
  const deep = `{"x402Version":2,"extensions":${'{"a":'.repeat(100)}null${'}'.repeat(100)}}`;
  t.throws(() => readPaymentHeader(Buffer.from(deep).toString('base64')), { code: 'MALFORMED_PAYMENT' });
  // A signature of 4 KiB in hexadecimal, and as much of an offer as the headers of a 402 can hold.
  const large = { x402Version: 2, memo: 'a'.repeat(2 * 4096 + 3000) };
  t.is(readPaymentPayload(large).version, 2);
  t.is(readPaymentHeader(Buffer.from(JSON.stringify(large)).toString('base64')).version, 2);
  t.throws(() => readPaymentPayload({ x402Version: 2, memo: 'a'.repeat(12 * 1024) }), { code: 'MALFORMED_PAYMENT' });
});

test('a header that does not hold the base64 of one JSON object is malformed', (t) => {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const bad = ['"pay"', 'pay', 'null', '[]', '{"x402Version":2,"x402Version":2}', '{"__proto__":{}}', '\ufeff{}'].map(
    encode,
  );
  for (const header of ['', '%%%', 'eyJ4Ijoi_-8ifQ', 'e30', 'e30=\n', `${encode('{"a":"'.padEnd(13_000))}`, ...bad]) {
    t.throws(() => readPaymentHeader(header), { code: 'MALFORMED_PAYMENT' }, header.slice(0, 60));
  }
});
