import { sql } from 'kysely';
import type { Hex } from 'viem';
import type {
  ChannelClaim,
  ClaimChannelsRequest,
  ClaimChannelsResponse,
  ContractChannel,
  DepositRequest,
  DepositResponse,
  ReadChannelsRequest,
  ReadChannelsResponse,
  RefundChannelRequest,
  RefundChannelResponse,
  Voucher,
  WatchChannelsResponse,
} from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { readBytes32, readConfig } from '../../../../services/payments/channels/channel-config.ts';
import { createChannelRecords, type PublicVoucher } from '../../../../services/payments/channels/channel-records.ts';
import type { ChannelState } from '../../../../services/payments/channels/contract-reader.ts';
import type { ChannelHasher } from '../../../../services/payments/contract/channel-ids.ts';
import type { ChannelsClient } from '../../../../services/payments/contract/channels-client.ts';
import { recoverSigner } from '../../../../services/platform/ethereum/recover-address.ts';
import type { CallSettings } from '../../../../services/platform/grpc/grpc-client.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import type { Database } from '../../../../services/store/database.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import type { ChannelContract, Mined } from '../chain/channel-contract.ts';
import type { Host } from '../engine/host.ts';
import type { Handlers, Machine } from '../engine/machine.ts';
import type { Network } from '../engine/network.ts';
import { callService, serveAnswer } from './calls.ts';

/** What the payments service does for channels, on the simulated contract. Each method may wait until a time. */
export interface ChannelService {
  deposit(request: DepositRequest, untilMs: number): Promise<DepositResponse>;
  read(request: ReadChannelsRequest): Promise<ReadChannelsResponse>;
  claim(request: ClaimChannelsRequest, untilMs: number): Promise<ClaimChannelsResponse>;
  refund(request: RefundChannelRequest, untilMs: number): Promise<RefundChannelResponse>;
  resolveRefund(request: { readonly refundId: string }, untilMs: number): Promise<RefundChannelResponse>;
  watch(request: { readonly fromBlock: bigint }): Promise<WatchChannelsResponse>;
}

export interface ChannelServiceOptions {
  readonly host: Host;
  readonly contract: ChannelContract;
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly hasher: ChannelHasher;
}

/** Plants a fault into the service. */
export type ChangeService = (service: ChannelService, contract: ChannelContract) => ChannelService;

const LOOK_EVERY_MS = 500;
/** Left of the caller's time for the answer. */
const ANSWER_MS = 500;

const refused = (reason: string) => ({ outcome: { $case: 'refused' as const, value: reason } });
const pending = { outcome: { $case: 'pending' as const, value: true } };

/** It keeps the rules of the interface: what it answers of a channel is stored, and everything may be asked again. */
export function createChannelService(options: ChannelServiceOptions): ChannelService {
  const { host, contract, database, network, hasher } = options;
  const records = createChannelRecords(database, network);

  /** Reads channels and stores what it read. */
  async function show(ids: readonly Hex[]): Promise<ContractChannel[]> {
    const states = ids.map(contract.stateOf);
    await records.note(states);
    return states.map(toMessage);
  }
  /** Before something is sent, it is on the disk, with all that was written before. */
  const flush = () =>
    sql`SELECT set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'sent', '')`.execute(
      database,
    );
  async function follow(id: string, untilMs: number): Promise<Mined | undefined> {
    while (contract.find(id) === undefined && host.clockMs() + LOOK_EVERY_MS < untilMs) {
      await new Promise<void>((resolve) => host.after(LOOK_EVERY_MS, resolve));
    }
    return contract.find(id);
  }
  async function answer<Case extends 'deposited' | 'refunded'>(done: Case, id: string, untilMs: number) {
    const mined = await follow(id, untilMs);
    if (mined === undefined) return pending;
    if (mined === 'refused') return refused('nothing_left');
    const { transaction, amount, channelId } = mined;
    const channel = defined((await show([channelId]))[0]);
    return { outcome: { $case: done, value: { transaction, amount: `${amount}`, channel } } };
  }
  /** Whether the contract accepts the voucher of a claim. */
  async function isSigned({ voucher, totalClaimed }: ChannelClaim): Promise<boolean> {
    const { channelId: id, maxClaimableAmount, signature } = defined(voucher);
    const channelId = readBytes32(id, 'id of a channel');
    const { payerAuthorizer } = defined((await records.configs([channelId])).get(channelId));
    const signer = recoverSigner(hasher.voucherDigest(channelId, BigInt(maxClaimableAmount)), signature);
    return (
      BigInt(totalClaimed) <= BigInt(maxClaimableAmount) && signer?.toLowerCase() === payerAuthorizer.toLowerCase()
    );
  }

  return {
    async deposit({ config, voucher, paymentJson }, untilMs) {
      const channelId = idOf(voucher);
      const { deposit } = JSON.parse(paymentJson).payload;
      const id = `deposit:${deposit.authorization.erc3009Authorization.salt}`;
      await records.remember(channelId, readConfig(config), contract.block());
      await flush();
      contract.send({ id, channelId, kind: 'deposit', amount: BigInt(deposit.amount) });
      return answer('deposited', id, untilMs);
    },
    async read({ channelIds, configs }) {
      const ids = channelIds.map((id) => readBytes32(id, 'id of a channel'));
      for (const [i, config] of configs.entries()) {
        const { channelId, balance, block } = contract.stateOf(defined(ids[i]));
        if (balance > 0n) await records.remember(channelId, readConfig(config), block);
      }
      return { channels: await show(ids) };
    },
    async claim({ claims }, untilMs) {
      const ids = claims.map(({ voucher }) => idOf(voucher));
      const signed = await Promise.all(claims.map(isSigned));
      await records.publish(claims.map(publicVoucherOf));
      await flush();
      const sent = claims.flatMap(({ totalClaimed }, i) => {
        const { channelId, totalClaimed: before, block } = contract.stateOf(defined(ids[i]));
        const amount = BigInt(totalClaimed);
        if (signed[i] !== true || amount <= before) return [];
        const id = `claim:${channelId}:${amount}:${block}`;
        contract.send({ id, channelId, kind: 'claim', amount });
        return [id];
      });
      await Promise.all(sent.map((id) => follow(id, untilMs)));
      return { transactions: sent, channels: await show(ids), refusedIds: ids.filter((_, i) => signed[i] !== true) };
    },
    async refund({ refundId, channelId: named, amount, claim }, untilMs) {
      const channelId = readBytes32(named, 'id of the channel');
      const id = `refund:${refundId}`;
      if (claim !== undefined && !(await isSigned(claim))) return refused('voucher_signature');
      if (claim !== undefined) await records.publish([publicVoucherOf(claim)]);
      await flush();
      if (!contract.isSent(id)) {
        const { balance, totalClaimed } = contract.stateOf(channelId);
        const claimed = BigInt(claim?.totalClaimed ?? 0);
        const left = balance - (claimed > totalClaimed ? claimed : totalClaimed);
        if (contract.isRefunding(channelId) || BigInt(amount) > left) contract.refuse(id);
        else contract.send({ id, channelId, kind: 'refund', amount: BigInt(amount), claimed });
      }
      return answer('refunded', id, untilMs);
    },
    async resolveRefund({ refundId }, untilMs) {
      const id = `refund:${refundId}`;
      if (!contract.isSent(id)) contract.refuse(id);
      return answer('refunded', id, untilMs);
    },
    async watch({ fromBlock }) {
      const next = contract.block() + 1n;
      const nextBlock = fromBlock > next ? fromBlock : next;
      const endTimeS = nextBlock === fromBlock ? BigInt(Math.floor(host.clockMs() / 1000)) : undefined;
      return { channels: await show(contract.changedSince(fromBlock)), nextBlock, endTimeS };
    },
  };
}

const publicVoucherOf = ({ voucher }: ChannelClaim): PublicVoucher => ({
  channelId: idOf(voucher),
  maxClaimableAmount: BigInt(defined(voucher).maxClaimableAmount),
});

const idOf = (voucher: Voucher | undefined) => readBytes32(defined(voucher).channelId, 'id of a channel');

function toMessage({
  channelId,
  balance,
  totalClaimed,
  refundNonce,
  withdrawal,
  block,
}: ChannelState): ContractChannel {
  return {
    channelId,
    balance: `${balance}`,
    totalClaimed: `${totalClaimed}`,
    refundNonce: `${refundNonce}`,
    withdrawAmount: withdrawal === undefined ? '' : `${withdrawal.amount}`,
    withdrawRequestedAtS: BigInt(withdrawal?.requestedAtS ?? 0),
    blockNumber: block,
  };
}

/** Serves the methods. What fails may be asked again. */
export function serveChannels(service: ChannelService): Handlers {
  const method = <Request, Response>(answer: (request: Request, untilMs: number) => Promise<Response>) =>
    serveAnswer(async (request: Request, deadlineMs) => {
      try {
        return await answer(request, deadlineMs - ANSWER_MS);
      } catch (cause) {
        if (cause instanceof ServiceError) throw cause;
        throw new ServiceError('PAYMENT_UNAVAILABLE', 'the database does not answer', { cause });
      }
    });
  return {
    'channels.deposit': method(service.deposit),
    'channels.read': method(service.read),
    'channels.claim': method(service.claim),
    'channels.refund': method(service.refund),
    'channels.resolveRefund': method(service.resolveRefund),
    'channels.watch': method(service.watch),
  };
}

/** The client of the service in one process. */
export function createChannelsCalls(network: Network, from: Host, to: Machine): ChannelsClient {
  const call = <Response>(method: keyof ChannelService, request: unknown, settings: CallSettings) =>
    callService<Response>(network, from, { to, method: `channels.${method}`, request }, settings);
  const notSimulated = () => Promise.reject(new Error('this call is not simulated'));
  return {
    getTerms: notSimulated,
    estimateClaims: notSimulated,
    estimateRefund: notSimulated,
    deposit: (request, settings) => call('deposit', request, settings),
    read: (request, settings) => call('read', request, settings),
    claim: (request, settings) => call('claim', request, settings),
    refund: (request, settings) => call('refund', request, settings),
    resolveRefund: (refundId, settings) => call('resolveRefund', { refundId }, settings),
    watch: (fromBlock, settings) => call('watch', { fromBlock }, settings),
    close: () => {},
  };
}
