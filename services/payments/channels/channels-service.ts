import type { Hex } from 'viem';
import type {
  ChannelClaim,
  ChannelsServiceServer,
  ContractChannel,
  RefundChannelRequest,
} from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { Transfer } from '../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { type CallContext, unary } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isUuidV7 } from '../../platform/patterns.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Context } from '../payment/context.ts';
import type { Terms } from '../payment/terms.ts';
import { formatEstimate } from '../signer/format-gas.ts';
import { SETTLEMENT } from './addresses.ts';
import { readAmount, readBytes32, readConfig } from './channel-config.ts';
import type { Channels } from './channels.ts';
import { MAX_CLAIMS } from './claims.ts';
import type { ChannelState } from './contract-reader.ts';
import { readDepositPayload, readVoucher } from './deposit-payload.ts';
import type { Ending } from './transaction-records.ts';

export interface ChannelsServiceContext extends Pick<Context, 'terms' | 'now' | 'logger'> {
  /** undefined without a key that signs claims. */
  readonly channels: Channels | undefined;
  /** @throws {ServiceError} PAYMENT_UNAVAILABLE while the signer cannot pay for transactions */
  readonly admit: () => void;
  /** Makes sure that the latest block is not old, where only this service makes blocks. */
  readonly refresh: (() => Promise<void>) | undefined;
}

const MAX_READS = 1000;
/** Longest wait for a final block: the recurring work continues. */
const MAX_WAIT_MS = 60_000;
/** Left of the caller's time for the answer. */
const ANSWER_MS = 500;

/** `tollhouse.payments.v1.ChannelsService`. */
export function createChannelsService(context: ChannelsServiceContext): ChannelsServiceServer {
  const { terms, admit, now, logger } = context;
  const logFailure = createRepeatedErrorLog({ logger, message: 'a call about channels failed' });
  const withKey = (): Channels => {
    if (context.channels === undefined) throw notOffered();
    return context.channels;
  };
  const untilOf = ({ deadlineMs }: CallContext) => Math.min(deadlineMs - ANSWER_MS, now() + MAX_WAIT_MS);
  const method = <Request, Response>(
    answer: (channels: Channels, request: Request, untilMs: number) => Promise<Response>,
  ) =>
    unary<Request, Response>(logger, async (request, call) => {
      try {
        return await answer(withKey(), request, untilOf(call));
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        logFailure(error);
        throw new ServiceError('PAYMENT_UNAVAILABLE', 'the chain or the database does not answer', { cause: error });
      }
    });
  return {
    getChannelTerms: unary(logger, async () => describeTerms(withKey(), terms)),
    deposit: method(async (channels, request, untilMs) => {
      const payload = readDepositPayload(request);
      await context.refresh?.();
      const admitNew = () => {
        if (!channels.isOffered) throw notOffered();
        admit();
      };
      const ending = await channels.deposits.deposit(payload, untilMs, admitNew);
      return answerEnding(channels, payload.voucher.channelId, ending, { kind: 'deposited' });
    }),
    readChannels: method(async ({ reader }, { channelIds, configs }) => {
      if (channelIds.length > MAX_READS || configs.length > MAX_READS) throw tooMany(MAX_READS);
      await reader.remember(configs.map(readConfig));
      const states = await reader.read(channelIds.map((id) => readBytes32(id, 'id of a channel')));
      return { channels: states.map(toContractChannel) };
    }),
    claimChannels: method(async (channels, { claims }, untilMs) => {
      const { rows, ids, unknown } = await readRows(channels, claims);
      const { transactions, refused } = await channels.claims.claim(rows, untilMs);
      const states = await channels.reader.read(ids);
      return {
        transactions: [...transactions],
        channels: states.map(toContractChannel),
        refusedIds: [...refused, ...unknown],
      };
    }),
    refundChannel: method(async (channels, request, untilMs) => {
      const wanted = await readRefund(channels, request);
      const ending = await channels.refunds.refund(wanted, untilMs);
      return answerEnding(channels, wanted.channelId, ending, { kind: 'refunded', refundId: wanted.refundId });
    }),
    estimateClaims: method(async (channels, { claims }) => {
      const { rows, unknown } = await readRows(channels, claims);
      const { claimed, refused, ...estimated } = await channels.claims.estimate(rows);
      const transfers = claimed.map(({ voucher, config, raised }) =>
        toTransfer(terms, { from: voucher.channelId, to: config.receiver, amount: raised }),
      );
      return { estimate: formatEstimate(transfers, estimated), refusedIds: [...refused, ...unknown] };
    }),
    estimateChannelRefund: method(async (channels, request) => {
      const wanted = await readRefund(channels, request);
      const { channelId: from, config, amount } = wanted;
      const estimated = await channels.refunds.estimate(wanted);
      if ('reason' in estimated) return { outcome: { $case: 'refused', value: estimated.reason } };
      const { claimed } = estimated;
      const transfers = [
        toTransfer(terms, { from, to: config.payer, amount }),
        ...(claimed > 0n ? [toTransfer(terms, { from, to: config.receiver, amount: claimed })] : []),
      ];
      return { outcome: { $case: 'estimate', value: formatEstimate(transfers, estimated) } };
    }),
    resolveRefund: method(async (channels, { refundId }, untilMs) => {
      requireUuid(refundId);
      const { channelId, ending } = await channels.refunds.resolve(refundId, untilMs);
      return answerEnding(channels, channelId, ending, { kind: 'refunded', refundId });
    }),
    watchChannels: method(async ({ reader }, { fromBlock }) => {
      const { channels, ...place } = await reader.watch(fromBlock);
      return { channels: channels.map(toContractChannel), ...place };
    }),
  };
}

function describeTerms({ isOffered, channelTerms }: Channels, { chainId }: Terms) {
  const { receiverAuthorizer, withdrawDelaySeconds, minDeposit } = channelTerms;
  return {
    offered: isOffered,
    receiverAuthorizer,
    withdrawDelaySeconds,
    minDeposit: `${minDeposit}`,
    contract: SETTLEMENT,
    chainId: BigInt(chainId),
  };
}

type Done = { readonly kind: 'deposited' } | { readonly kind: 'refunded'; readonly refundId: string };

/**
 * The answer to a deposit or a refund, which have the same outcomes. `channel` is read after it.
 * @throws {Error} if the node that was asked does not know a refund yet: its amount would count as left
 */
async function answerEnding<Case extends Done>(
  { reader, refunds }: Channels,
  channelId: Hex | undefined,
  ending: Ending | undefined,
  done: Case,
) {
  if (ending === undefined) return { outcome: { $case: 'pending' as const, value: true } };
  if (ending.state === 'refused') return { outcome: { $case: 'refused' as const, value: ending.reason } };
  const state = defined((await reader.read([defined(channelId)]))[0]);
  if (done.kind === 'refunded' && !(await refunds.isShown(done.refundId, state))) {
    throw new Error('the node is behind the block of a refund');
  }
  const { transaction, amount } = ending;
  const $case: Case['kind'] = done.kind;
  return {
    outcome: { $case, value: { transaction, amount: `${defined(amount)}`, channel: toContractChannel(state) } },
  };
}

function toContractChannel({ channelId, withdrawal, ...state }: ChannelState): ContractChannel {
  return {
    channelId,
    balance: `${state.balance}`,
    totalClaimed: `${state.totalClaimed}`,
    refundNonce: `${state.refundNonce}`,
    withdrawAmount: withdrawal === undefined ? '' : `${withdrawal.amount}`,
    withdrawRequestedAtS: withdrawal === undefined ? 0n : BigInt(withdrawal.requestedAtS),
    blockNumber: state.block,
  };
}

const toTransfer = (
  { network, asset }: Terms,
  { from, to, amount }: { readonly from: Hex; readonly to: Hex; readonly amount: bigint },
): Transfer => ({ network, asset, from, to, amount: `${amount}` });

/** `ids`: of all claims, in their order. `unknown`: those without a known configuration. @throws {ServiceError} INVALID_ARGUMENT */
async function readRows({ records }: Channels, claims: readonly ChannelClaim[]) {
  if (claims.length > MAX_CLAIMS) throw tooMany(MAX_CLAIMS);
  const read = claims.map(({ voucher, totalClaimed }) => ({
    voucher: readVoucher(voucher),
    totalClaimed: readAmount(totalClaimed, 'claimed total'),
  }));
  const ids = read.map(({ voucher }) => voucher.channelId);
  if (new Set(ids).size < ids.length) throw new ServiceError('INVALID_ARGUMENT', 'a channel is named twice');
  if (read.some(({ voucher, totalClaimed }) => totalClaimed > voucher.maxClaimableAmount)) {
    throw new ServiceError('INVALID_ARGUMENT', 'the claimed total is higher than the voucher');
  }
  const configs = await records.configs(ids);
  const rows = read.flatMap((claim) => {
    const config = configs.get(claim.voucher.channelId);
    return config === undefined ? [] : [{ ...claim, config }];
  });
  return { rows, ids, unknown: ids.filter((id) => !configs.has(id)) };
}

async function readRefund(channels: Channels, { refundId, channelId: id, amount, claim }: RefundChannelRequest) {
  requireUuid(refundId);
  const channelId = readBytes32(id, 'id of the channel');
  const config = (await channels.records.configs([channelId])).get(channelId);
  if (config === undefined) throw new ServiceError('INVALID_ARGUMENT', 'the configuration of the channel is not known');
  const [row] = claim === undefined ? [] : (await readRows(channels, [claim])).rows;
  if (row !== undefined && row.voucher.channelId !== channelId) {
    throw new ServiceError('INVALID_ARGUMENT', 'the claim is of another channel');
  }
  return { refundId, channelId, config, amount: readAmount(amount, 'amount'), claim: row };
}

function requireUuid(refundId: string): void {
  if (!isUuidV7(refundId)) throw new ServiceError('INVALID_ARGUMENT', 'refund_id is not a UUIDv7');
}

const notOffered = () => new ServiceError('CHANNELS_NOT_OFFERED', 'this service does not offer payment channels');
const tooMany = (most: number) => new ServiceError('INVALID_ARGUMENT', `the request names more than ${most} channels`);
