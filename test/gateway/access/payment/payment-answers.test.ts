import test from 'ava';
import { refuse } from '../../../../gateway/access/payment/payment-answers.ts';
import { RefusalCode } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';

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
