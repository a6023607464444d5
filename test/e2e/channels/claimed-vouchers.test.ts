import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentPayload } from '@x402/core/types';
import test from 'ava';
import { createPublicClient, decodeFunctionData, type Hex, http } from 'viem';
import { SETTLEMENT } from '../../../services/payments/channels/addresses.ts';
import { SETTLEMENT_ABI as abi } from '../../../services/payments/channels/settlement-abi.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { CONVERT, headerOf } from '../../helpers/client.ts';
import { startStack } from '../../helpers/stack.ts';
import { until } from '../../helpers/until.ts';
import { BODY, createChannelBuyer, PRICE } from './channel-client.ts';

const stack = await startStack({
  env: { backoffice: { CHANNEL_CLAIM_ABOVE: '1', CHANNEL_CLAIM_INTERVAL_MS: '200', CHANNEL_WATCH_INTERVAL_MS: '200' } },
});
const [origin] = stack.urls;
test.after.always(() => stack.stop());

const REFUND = '/api/v1/channels/refund';
const node = createPublicClient({ transport: http(stack.chainUrl) });

/** What everyone can read of a claim: the arguments of its transaction. */
async function readClaim(payer: Hex, channelId: Hex, total: bigint) {
  const claimed = await until(async () => {
    const events = await node.getContractEvents({
      address: SETTLEMENT,
      abi,
      eventName: 'Claimed',
      args: { channelId },
      fromBlock: 0n,
    });
    return events.find(({ args }) => args.newTotalClaimed === total);
  });
  const { input } = await node.getTransaction({ hash: claimed.transactionHash });
  const multicall = decodeFunctionData({ abi, data: input });
  if (multicall.functionName !== 'multicall') throw new Error(multicall.functionName);
  const claim = decodeFunctionData({ abi, data: defined(multicall.args[0][0]) });
  if (claim.functionName !== 'claimWithSignature') throw new Error(claim.functionName);
  const rows = claim.args[0].filter(({ voucher }) => voucher.channel.payer === payer);
  const { voucher, signature } = defined(rows[0]);
  return { ...voucher, signature };
}

/** Sends somebody's voucher. @returns the offer of the refusal */
async function send(
  path: string,
  type: 'voucher' | 'refund',
  found: Awaited<ReturnType<typeof readClaim>>,
  channelId: Hex,
) {
  const init =
    path === REFUND
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(BODY) };
  const offered = decodePaymentRequiredHeader(headerOf(await fetch(origin + path, init), 'payment-required'));
  const { channel: channelConfig, maxClaimableAmount, signature } = found;
  const payment: PaymentPayload = {
    x402Version: 2,
    accepted: defined(offered.accepts.find(({ scheme }) => scheme === 'batch-settlement')),
    payload: { type, channelConfig, voucher: { channelId, maxClaimableAmount: `${maxClaimableAmount}`, signature } },
  };
  const headers = { ...init.headers, 'payment-signature': encodePaymentSignatureHeader(payment) };
  const answer = await fetch(origin + path, { ...init, headers });
  return { status: answer.status, ...decodePaymentRequiredHeader(headerOf(answer, 'payment-required')) };
}

test('who reads a claim on the chain learns nothing and closes no channel, and its payer gets the rest back', async (t) => {
  const buyer = await createChannelBuyer(origin);
  for (let calls = 0; calls < 3; calls += 1) t.is((await buyer.call()).status, 200);
  const channelId = (await buyer.channelId()) as Hex;
  // All but the latest call.
  const found = await readClaim(buyer.wallet.address, channelId, 2n * PRICE);
  t.is(found.maxClaimableAmount, 2n * PRICE);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    for (const [path, type] of [
      [REFUND, 'refund'],
      [CONVERT, 'voucher'],
    ] as const) {
      const { status, error, accepts } = await send(path, type, found, channelId);
      t.is(status, 402);
      t.regex(String(error), /^invalid_batch_settlement_evm_cumulative_below_claimed/);
      t.false(accepts.some(({ extra }) => 'channelState' in extra || 'voucherState' in extra));
    }
  }
  const [balance] = await node.readContract({ address: SETTLEMENT, abi, functionName: 'channels', args: [channelId] });
  t.like(await buyer.refund(), { success: true, amount: `${balance - 3n * PRICE}` });
  const after = await node.readContract({ address: SETTLEMENT, abi, functionName: 'channels', args: [channelId] });
  t.deepEqual(after, [3n * PRICE, 3n * PRICE], 'the refund claimed the latest call');
});

test('a payer who lost the state is corrected after a claim, and then refunded', async (t) => {
  const buyer = await createChannelBuyer(origin);
  for (let calls = 0; calls < 3; calls += 1) t.is((await buyer.call()).status, 200);
  await readClaim(buyer.wallet.address, (await buyer.channelId()) as Hex, 2n * PRICE);
  const forgetful = buyer.forget();
  t.is((await forgetful.call({ html: '<p>after the loss' })).status, 200);
  t.true((await forgetful.refund()).success);
});
