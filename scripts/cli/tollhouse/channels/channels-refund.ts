import { v7 as uuidv7 } from 'uuid';
import type {
  RefundChannelRequest,
  RefundChannelResponse,
} from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { Estimate } from '../../../../proto/gen/tollhouse/payments/v1/operator.ts';
import type { RefundHoldOutcome } from '../../../../services/ledger/contract/outcomes.ts';
import { claimOf } from '../../../../services/payments/contract/channel-funds.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { type Command, CommandError, type Terminal } from '../../terminal/command.ts';
import { requireReason } from '../../terminal/operator.ts';
import { sayEstimate } from '../payments/estimate.ts';
import { usdc } from '../payments/payments-fields.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { findChannel, readChannelId } from './channels-rows.ts';
import { type OpenLedger, recordChannelAct, withChannelLedger, withChannels } from './channels-service.ts';

const REFUND_TIMEOUT_MS = 60_000;
/** The back office resolves a refund whose command was interrupted. */
const HELD_FOR_MS = 90_000;

const PENDING =
  'the refund is signed and recorded, and its outcome is not known yet. The services continue it. See channels show';

/** `channels refund`. Holds credit of a channel in the ledger, and returns it to the payer on the chain. */
export const refundChannel: Command = async (terminal, { amount: wanted, reason: given, dryRun, json }, text) => {
  const channelId = readChannelId(text);
  const amount = readMicroUsd(wanted);
  const reason = requireReason(given);
  if (dryRun) return sayEstimate(terminal, json, await estimate(terminal, { channelId, amount }));
  const outcome = await withDatabase(terminal, async (database) => {
    const { network } = await findChannel(database, channelId);
    return withChannelLedger(terminal, network, async (ledger) => {
      await recordChannelAct(terminal, database, { action: 'channels.refund', channelIds: [channelId], reason });
      return refund(terminal, ledger, { channelId, amount });
    });
  });
  if (outcome?.$case === 'refused') throw new CommandError(`not refunded: ${outcome.value}`);
  if (outcome?.$case !== 'refunded') throw new CommandError(PENDING);
  const { transaction, amount: refunded } = outcome.value;
  if (json) terminal.say(JSON.stringify({ channelId, transaction, amount: refunded }));
  else terminal.say(`refunded ${usdc(BigInt(refunded))} in ${transaction}`);
};

type Wanted = Omit<WantedHold, 'refundId'>;

/** What a refund would do. Its hold is discarded, so that it finds what the ledger would refuse. */
async function estimate(terminal: Terminal, wanted: Wanted): Promise<Estimate> {
  const { network } = await withDatabase(terminal, (database) => findChannel(database, wanted.channelId));
  const request = await withChannelLedger(terminal, network, (ledger) => hold(ledger, wanted), { discards: true });
  const { outcome } = await withChannels(terminal, (channels) =>
    channels.estimateRefund(request, { timeoutMs: REFUND_TIMEOUT_MS }),
  );
  if (outcome?.$case === 'estimate') return outcome.value;
  throw new CommandError(`not refunded: ${outcome?.value}`);
}

async function refund(
  terminal: Terminal,
  ledger: OpenLedger,
  wanted: Wanted,
): Promise<RefundChannelResponse['outcome']> {
  const request = await hold(ledger, wanted);
  const { outcome } = await withChannels(terminal, (channels) =>
    channels.refund(request, { timeoutMs: REFUND_TIMEOUT_MS }),
  );
  // The payments service has stored what the contract shows now.
  if (outcome?.$case === 'refunded' || outcome?.$case === 'refused')
    await ledger.void(request.refundId, 'operation_failed');
  return outcome;
}

/** Holds the credit. @returns what to ask the payments service for. @throws {CommandError} if the ledger refuses it */
async function hold(ledger: OpenLedger, { channelId, amount }: Wanted): Promise<RefundChannelRequest> {
  const refundId = uuidv7();
  const held = await holdCredit(ledger, { refundId, channelId, amount });
  if (held.state !== 'reserved') throw new CommandError(`not refunded: ${held.state}`);
  return { refundId, channelId, amount: `${held.amountMicroUsd}`, claim: claimOf(channelId, held.account) };
}

interface WantedHold {
  readonly refundId: string;
  readonly channelId: string;
  readonly amount: bigint | undefined;
}

async function holdCredit(ledger: OpenLedger, { refundId, channelId, amount }: WantedHold): Promise<RefundHoldOutcome> {
  const account = defined((await ledger.channels([channelId]))[0]);
  return ledger.holdRefund({
    reservationId: refundId,
    channelId,
    cumulativeMicroUsd: account.chargedMicroUsd,
    amountMicroUsd: amount,
    deadlineMs: (await ledger.nowMs()) + HELD_FOR_MS,
  });
}

function readMicroUsd(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CommandError('--amount is a number of micro-USD', 2);
  return BigInt(text);
}
