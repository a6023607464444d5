import test from 'ava';
import { MAX_MICRO_USD } from '../../../../services/ledger/contract/channels.ts';
import { fundsOf } from '../../../../services/payments/contract/channel-funds.ts';

/** What a channel with a withdrawal, or without one, adds to the ledger. */
function usable(balance: bigint, withdrawing?: bigint): bigint {
  const withdrawAmount = withdrawing === undefined ? '' : `${withdrawing}`;
  const channel = { channelId: `0x${'1'.repeat(64)}`, balance: `${balance}`, totalClaimed: '0', refundNonce: '0' };
  return fundsOf({ ...channel, withdrawAmount, withdrawRequestedAtS: 0n, blockNumber: 1n }).usableMicroUsd;
}

test('credit is what a withdrawal leaves, and never less than nothing', (t) => {
  t.is(usable(5n), 5n);
  t.is(usable(5n, 2n), 3n);
  t.is(usable(5n, 5n), 0n);
  // A refund was paid after the withdrawal was started.
  t.is(usable(5n, 7n), 0n);
});

test('credit is never more than the ledger counts exactly', (t) => {
  t.is(usable(MAX_MICRO_USD), MAX_MICRO_USD);
  t.is(usable(MAX_MICRO_USD + 1n), MAX_MICRO_USD);
  t.is(usable(2n ** 128n - 1n, 2n ** 127n), MAX_MICRO_USD);
});
