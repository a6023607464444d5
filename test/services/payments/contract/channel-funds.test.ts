import test from 'ava';
import { claimOf } from '../../../../services/payments/contract/channel-funds.ts';
import { newChannel, newSignature } from '../../ledger/channel-fixture.ts';

const [channelId, signature] = [newChannel(), newSignature()];
const accountOf = (chargedMicroUsd: bigint, signedMicroUsd: bigint) => ({
  fundedMicroUsd: 100_000n,
  balanceMicroUsd: 100_000n - chargedMicroUsd,
  reservedMicroUsd: 0n,
  chargedMicroUsd,
  voucher: { cumulativeMicroUsd: signedMicroUsd, signature },
});

test('a refund claims what was charged', (t) => {
  t.deepEqual(claimOf(channelId, accountOf(14_000n, 14_000n)), {
    voucher: { channelId, maxClaimableAmount: '14000', signature },
    totalClaimed: '14000',
  });
});

test('a refund does not publish a voucher that can still pay for a call', (t) => {
  t.is(claimOf(channelId, accountOf(14_000n, 28_000n)), undefined);
});
