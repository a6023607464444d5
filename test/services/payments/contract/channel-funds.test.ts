import test from 'ava';
import { claimOf } from '../../../../services/payments/contract/channel-funds.ts';
import { newChannel, newSignature } from '../../ledger/channel-fixture.ts';

const [channelId, signature] = [newChannel(), newSignature()];
/** Of which everything else is reserved for a refund. */
const accountOf = (chargedMicroUsd: bigint, signedMicroUsd: bigint, balanceMicroUsd = 0n) => ({
  fundedMicroUsd: 100_000n,
  balanceMicroUsd,
  reservedMicroUsd: 100_000n - chargedMicroUsd - balanceMicroUsd,
  chargedMicroUsd,
  voucher: { cumulativeMicroUsd: signedMicroUsd, signature },
  contract: undefined,
});

test('a refund of all that is left claims what was charged', (t) => {
  t.deepEqual(claimOf(channelId, accountOf(14_000n, 14_000n)), {
    voucher: { channelId, maxClaimableAmount: '14000', signature },
    totalClaimed: '14000',
  });
});

test('a refund of a part does not publish the voucher that shows who asks', (t) => {
  t.is(claimOf(channelId, accountOf(14_000n, 14_000n, 1n)), undefined);
});

test('a refund does not publish a voucher that can still pay for a call', (t) => {
  t.is(claimOf(channelId, accountOf(14_000n, 28_000n)), undefined);
});
