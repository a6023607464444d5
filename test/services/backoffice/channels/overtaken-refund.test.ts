import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { decodeFunctionData, type Hex, parseTransaction } from 'viem';
import { SETTLEMENT_ABI as abi } from '../../../../services/payments/channels/settlement-abi.ts';
import { claimOf } from '../../../../services/payments/contract/channel-funds.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { MIN_DEPOSIT, PRICE, startChannelStack, timed, wireVoucher } from '../../payments/channels/channel-stack.ts';
import { startChannelJobs } from './channel-job-stack.ts';

const stack = await startChannelStack();
const { ledger, service, watch, claim, accountOf, open, call, stop } = await startChannelJobs(stack);
test.after.always(() => stop());

const ANY = { afterSeconds: 0, aboveMicroUsd: 1n };

/** What everyone can read of a transaction that claims and refunds: its voucher, and the refund alone. */
function readRefund(signed: string) {
  const { data } = parseTransaction(signed as Hex);
  const multicall = decodeFunctionData({ abi, data: defined(data) });
  if (multicall.functionName !== 'multicall') throw new Error(multicall.functionName);
  const [first, second] = multicall.args[0];
  const claimed = decodeFunctionData({ abi, data: defined(first) });
  if (claimed.functionName !== 'claimWithSignature') throw new Error(claimed.functionName);
  return { found: defined(claimed.args[0][0]), refund: defined(second) };
}

test.serial(
  'a stranger who sends a refund without its claim does not get a voucher that counts as private',
  async (t) => {
    const channel = await open();
    await call(channel, PRICE);
    await call(channel, 2n * PRICE);
    const { signature } = await wireVoucher(channel, 2n * PRICE);
    const refundId = uuidv7();
    const hold = await ledger.holdRefund({
      reservationId: refundId,
      channelId: channel.id,
      cumulativeMicroUsd: 2n * PRICE,
      signature,
      deadlineMs: Date.now() + 30_000,
    });
    if (hold.state !== 'reserved') throw new Error(hold.state);
    const wanted = { refundId, channelId: channel.id, amount: `${hold.amountMicroUsd}` };
    const message = { ...wanted, claim: defined(claimOf(channel.id, hold.account)) };
    const release = await stack.hold(t);
    const answer = service().channels.refund(message, timed);
    await stack.untilHeld(1);
    const { signed } = defined(await stack.transactionOf(`refund:${refundId}`));
    const { found, refund } = readRefund(String(signed));
    t.is(found.voucher.maxClaimableAmount, 2n * PRICE);
    await stack.overtake('0x00000000000000000000000000000000000000aa', refund);
    await release();
    t.like((await stack.whileMining(() => answer)).outcome, { $case: 'refunded' });
    t.like(await stack.chain.stateOf(channel), { balance: 2n * PRICE, totalClaimed: 0n });
    await ledger.void(refundId, 'operation_failed');
    // All is claimed that is due, and the payer deposits again.
    await claim(ANY);
    await stack.chain.open(channel, MIN_DEPOSIT);
    await stack.chain.node.mine({ blocks: 3 });
    await watch();
    t.is((await accountOf(channel)).balanceMicroUsd, MIN_DEPOSIT);
    // The reverted transaction is in the chain, with the voucher.
    const outcome = await ledger.holdRefund({
      reservationId: uuidv7(),
      channelId: channel.id,
      cumulativeMicroUsd: found.voucher.maxClaimableAmount,
      signature: found.signature,
      deadlineMs: Date.now() + 30_000,
    });
    t.is(outcome.state, 'cumulative_below_claimed', 'a stranger closes the channel');
  },
);
