import test from 'ava';
import { getAddress } from 'viem';
import { operations } from '../../../../gateway/operations/index.ts';
import { createTerms } from '../../../../services/payments/payment/terms.ts';
import { checkValidity } from '../../../../services/payments/payment/validity.ts';

const NOW_MS = 1_800_000_000_500;
const NOW_S = 1_800_000_000n;
const ADDRESS = getAddress(`0x${'1'.repeat(40)}`);
const BASE = { from: ADDRESS, to: ADDRESS, value: 1n, nonce: `0x${'0'.repeat(64)}` } as const;

const check = (validAfter: bigint, validBefore: bigint, operationTimeoutMs = 4500) =>
  checkValidity({ ...BASE, validAfter, validBefore }, NOW_MS, operationTimeoutMs)?.reason ?? 'ok';

test('an authorization must last for the operation and its settlement, and at most an hour', (t) => {
  const early =
    'invalid_exact_evm_payload_authorization_valid_after: validAfter must be at most 1800000000, the time here';
  const wrong =
    'invalid_exact_evm_payload_authorization_valid_before: validBefore must be from 1800000020 to 1800003600; the time here is 1800000000';
  t.is(check(0n, NOW_S + 20n), 'ok');
  t.is(check(0n, NOW_S + 19n), wrong);
  t.is(check(0n, NOW_S + 3600n), 'ok');
  t.is(check(0n, NOW_S + 3601n), wrong);
  t.is(check(NOW_S, NOW_S + 60n), 'ok');
  t.is(check(NOW_S + 1n, NOW_S + 60n), early);
  // A 402 cuts longer ones.
  t.true(Math.max(early.length, wrong.length) <= 160);
});

const terms = createTerms({ network: 'eip155:8453', payTo: ADDRESS, sandbox: false });

for (const { name, timeoutMs } of operations) {
  test(`${name}: whoever takes a minute to sign is served, with a clock that is half a minute behind or ahead`, (t) => {
    for (const skewS of [-30n, 0n, 30n]) {
      for (const approvalS of [0n, 28n, 60n]) {
        const signedS = NOW_S - approvalS + skewS;
        const validBefore = signedS + BigInt(terms.maxTimeoutSeconds);
        t.is(check(signedS - 600n, validBefore, timeoutMs), 'ok');
        t.is(check(0n, validBefore, timeoutMs), 'ok');
      }
    }
  });
}
