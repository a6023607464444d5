import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { x402Client } from '@x402/core/client';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { toClientEvmSigner } from '@x402/evm';
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client';
import { createPublicClient, http } from 'viem';
import { REFUND_PATH } from '../../../../gateway/access/offer/refund-offer.ts';
import { SANDBOX_CHAIN_ID } from '../../../launch/servers/anvil.ts';
import type { ChannelCallRecord, ChannelRecord } from '../run/books.ts';
import { createOrder, type Order } from './bodies.ts';
import { inspect, outcomeOf, send } from './call.ts';
import type { Client } from './client.ts';
import { fundWallet } from './payments.ts';

const NETWORK = `eip155:${SANDBOX_CHAIN_ID}`;
/** The least deposit pays for them. */
const MAX_CALLS = 6;
const MAX_TRIES = [1, 3, 12] as const;
const RETRY_MS = 2000;
const COPIES = [1, 1, 1, 2] as const;

/**
 * A client with a new wallet and channel. It pays for a few calls one after the other, sends some of them again, and may ask
 * for what is left.
 */
export async function payByChannel(client: Client): Promise<void> {
  const { origins, books, random } = client;
  const wallet = await fundWallet(client);
  if (wallet === undefined) return;
  const storage = new InMemoryClientChannelStorage();
  const node = createPublicClient({ transport: http(`${random.pick(origins)}/sandbox/rpc`) });
  const signer = toClientEvmSigner(wallet, node);
  const scheme = new BatchSettlementEvmScheme(signer, { salt: `0x${randomBytes(32).toString('hex')}`, storage });
  const x402 = new x402Client().register(NETWORK, scheme).setSpendControls({ allowedAssets: true });
  let record: ChannelRecord | undefined;
  let [balance, charged] = ['0', 0n];
  const calls = 1 + Math.floor(random.between(0, MAX_CALLS));
  for (let n = 0; n < calls; n += 1) {
    const order = createOrder(random);
    const required = await askForChannel(client, order);
    const [offer] = required?.accepts ?? [];
    if (required === undefined || offer === undefined) return books.count('call by channel', 'no offer');
    const channelId = computeChannelId(scheme.buildChannelConfig(offer), NETWORK);
    // The client decides itself what it signs, as one does that stores its state elsewhere.
    await storage.set(channelId, { balance, chargedCumulativeAmount: `${charged}` });
    const payment = await x402.createPaymentPayload(required);
    const cumulative = charged + order.operation.priceMicroUsd;
    const call: ChannelCallRecord = { cumulative, answers: [] };
    record ??= openRecord(client, { channelId, payer: wallet.address });
    record.calls.push(call);
    await sendUntilAnswered(client, order, { call, header: encodePaymentSignatureHeader(payment) });
    if (!call.answers.some((answer) => answer?.status === 200)) return;
    charged = cumulative;
    if (n === 0) balance = String(Object(payment.payload['deposit'])['amount']);
    await storage.set(channelId, { balance, chargedCumulativeAmount: `${charged}` });
  }
  if (random.between(0, 1) < 0.5) return;
  const refund = await scheme.refund(random.pick(origins) + REFUND_PATH).catch((error: unknown) => String(error));
  books.count('refund of a channel', typeof refund === 'string' ? refund.slice(0, 60) : 'refunded');
}

function openRecord({ books }: Client, opened: Omit<ChannelRecord, 'calls'>): ChannelRecord {
  const record = { ...opened, calls: [] };
  books.channels.push(record);
  return record;
}

/** The offer of channels for a call alone. */
async function askForChannel({ origins, books, random }: Client, order: Order): Promise<PaymentRequired | undefined> {
  const answer = await send(random.pick(origins) + order.operation.path, { body: order.body });
  inspect(books, 'an unpaid call', answer);
  const header = answer?.headers.get('payment-required');
  const required = header ? decodePaymentRequiredHeader(header) : undefined;
  return required && { ...required, accepts: required.accepts.filter(({ scheme }) => scheme === 'batch-settlement') };
}

async function sendUntilAnswered(
  { origins, books, random }: Client,
  { operation, body }: Order,
  { call, header }: { readonly call: ChannelCallRecord; readonly header: string },
): Promise<void> {
  const tries = random.pick(MAX_TRIES);
  for (let n = 0; n < tries; n += 1) {
    const copies = Array.from({ length: random.pick(COPIES) }, () =>
      send(random.pick(origins) + operation.path, { body, headers: { 'payment-signature': header } }),
    );
    const answers = await Promise.all(copies);
    call.answers.push(...answers);
    for (const answer of answers) {
      inspect(books, 'a call by channel', answer);
      books.count('call by channel', outcomeOf(answer));
    }
    if (answers.some((answer) => answer?.status === 200)) return;
    await delay(RETRY_MS);
  }
}
