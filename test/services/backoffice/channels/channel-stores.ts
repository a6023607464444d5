import type { ContractChannel } from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { createVoucherCipher } from '../../../../services/ledger/store/voucher-cipher.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { newCharge } from '../../ledger/channel-fixture.ts';
import { pay } from '../../ledger/store/ledger-steps.ts';
import type { OpenLedger } from '../../ledger/store/store-fixture.ts';

export const PRICE = 14_000n;
export const logger = createLogger({ name: 'test', level: 'silent' });
/** Has the key of the ledgers of tests. */
export const cipher = createVoucherCipher([{ id: 'k1', secret: Buffer.alloc(32, 1) }]);
const HOUR_MS = 3_600_000;

/** Charges a channel for a call. */
export async function chargeCall(
  ledger: OpenLedger,
  channelId: string,
  { amountMicroUsd = PRICE, chargedMicroUsd = 0n, signature }: ChargedCall = {},
): Promise<void> {
  const cumulativeMicroUsd = chargedMicroUsd + amountMicroUsd;
  await pay(ledger, newCharge({ channelId, amountMicroUsd, cumulativeMicroUsd, ...(signature && { signature }) }));
}

/** Charges a channel for a call that can be claimed, an hour ago, and for the one after it. */
export async function owe(ledger: OpenLedger, channelId: string, call: ChargedCall = {}): Promise<void> {
  const { amountMicroUsd = PRICE, chargedMicroUsd = 0n } = call;
  await ledger.show(channelId, { balanceMicroUsd: 100n * PRICE });
  await chargeCall(ledger, channelId, call);
  await chargeCall(ledger, channelId, { chargedMicroUsd: chargedMicroUsd + amountMicroUsd });
  await age(ledger, channelId);
}

interface ChargedCall {
  readonly amountMicroUsd?: bigint;
  /** Before the call. */
  readonly chargedMicroUsd?: bigint;
  readonly signature?: string;
}

/** Lets what a channel was charged be an hour old. */
export async function age({ query, network }: OpenLedger, channelId: string): Promise<void> {
  await query('UPDATE ledger.channel SET unclaimed_since = $3 WHERE network = $1 AND id = $2', [
    network,
    channelId,
    new Date(Date.now() - HOUR_MS),
  ]);
}

/** Lets the voucher of a channel be for more than was charged, as if it had settled the channel, and its call was voided. */
export async function settle({ query, network }: OpenLedger, channelId: string): Promise<void> {
  await query('UPDATE ledger.channel SET signed = signed + 1 WHERE network = $1 AND id = $2', [network, channelId]);
}

/** What the contract shows of a channel. */
export const contractChannel = (channelId: string, changes: Partial<ContractChannel> = {}): ContractChannel => ({
  channelId,
  balance: `${100n * PRICE}`,
  totalClaimed: '0',
  refundNonce: '0',
  withdrawAmount: '',
  withdrawRequestedAtS: 0n,
  blockNumber: 1n,
  ...changes,
});
