import test from 'ava';
import { refuse } from '../../../../gateway/access/payment/payment-answers.ts';
import { NOT_SETTLED, toPaymentReply } from '../../../../gateway/access/payment/payment-outcome.ts';
import { RefusalCode } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';

for (const [name, reason, text] of [
  ['REUSED', 'identifier_reused', /payment-identifier was used before/],
  ['SETTLEMENT_PENDING', 'identifier_pending', /send that payment again/],
  ['IN_PROGRESS', 'identifier_in_progress', /with this payment-identifier is in progress/],
  ['REUSED', 'payment_reused', /this payment was used before/],
  ['SETTLEMENT_PENDING', 'settlement_pending', /with the same payment again/],
  ['IN_PROGRESS', 'payment_in_progress', /with this payment is in progress/],
] as const) {
  test(`a refusal ${reason} says what is the matter`, (t) => {
    const refusal = { code: RefusalCode[`REFUSAL_CODE_${name}`], reason, paymentResponseJson: undefined };
    t.throws(() => refuse(refusal), { message: text });
  });
}

for (const [name, code] of [
  ['MALFORMED', 'MALFORMED_PAYMENT'],
  ['REUSED', 'PAYMENT_REUSED'],
  ['SETTLEMENT_PENDING', 'SETTLEMENT_PENDING'],
  ['IN_PROGRESS', 'SERVICE_UNAVAILABLE'],
  ['FACILITATOR_FAILURE', 'UPSTREAM_FAILURE'],
  ['THROTTLED', 'RATE_LIMITED'],
  ['UNSPECIFIED', 'INTERNAL'],
] as const) {
  test(`a payment that the payments service refuses as ${name} is answered with ${code}`, (t) => {
    const refusal = {
      code: RefusalCode[`REFUSAL_CODE_${name}`],
      reason: 'http://127.0.0.1:1',
      paymentResponseJson: undefined,
    };
    const error = t.throws(() => refuse(refusal), { code });
    if (name !== 'MALFORMED') t.false(error.message.includes('127.0.0.1'), 'the reason is not public');
  });
}

test('a settlement that failed tells over HTTP what a tool is told', (t) => {
  const offer = { payment: (error: string) => ({ header: error, body: '{}' }) };
  const { status, headers, body } = toPaymentReply({ kind: 'failed', paymentResponseJson: '{"success":false}' }, offer);
  t.deepEqual([status, body, headers['payment-required']], [402, '{}', NOT_SETTLED]);
  t.regex(NOT_SETTLED, /send it with the same call once more after its validBefore/);
  t.true(NOT_SETTLED.length <= 160, 'longer texts are cut');
  t.is(Buffer.from(headers['payment-response'] ?? '', 'base64').toString(), '{"success":false}');
});
