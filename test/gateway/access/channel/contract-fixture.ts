import { status } from '@grpc/grpc-js';
import { BATCH_SETTLEMENT_ADDRESS } from '@x402/evm';
import { Type } from 'typebox';
import type {
  ContractChannel,
  DepositRequest,
  DepositResponse,
  RefundChannelRequest,
  RefundChannelResponse,
} from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import type { ChannelsClient } from '../../../../services/payments/contract/channels-client.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { defined } from '../../../../workers/exact/defined.ts';

export const CONTRACT = BATCH_SETTLEMENT_ADDRESS;

const readDeposit = createJsonReader(
  Type.Object({
    payload: Type.Object({
      deposit: Type.Object({
        amount: Type.String(),
        authorization: Type.Object({ erc3009Authorization: Type.Object({ salt: Type.String() }) }),
      }),
    }),
  }),
  'the payment of a deposit',
);

export type Contract = ReturnType<typeof createContract>;

/**
 * The channels service, with a contract that has no chain. It counts what it is asked, and its answers can be replaced.
 * It keeps the rules of the interface: deposits and refunds are idempotent, and what it answers of a channel is stored.
 */
export function createContract(store: (channel: ContractChannel) => Promise<void>) {
  const channels = new Map<string, ContractChannel>();
  const deposits = new Map<string, DepositResponse>();
  const refunds = new Map<string, RefundChannelResponse>();
  const asked = { deposit: 0, read: 0, refund: 0 };
  const ranges: (string | undefined)[] = [];
  let block = 100n;
  const stateOf = (channelId: string): ContractChannel =>
    channels.get(channelId) ?? {
      channelId,
      balance: '0',
      totalClaimed: '0',
      refundNonce: '0',
      withdrawAmount: '',
      withdrawRequestedAtS: 0n,
      blockNumber: block,
    };
  const change = (channelId: string, changes: Partial<ContractChannel>): ContractChannel => {
    block += 1n;
    const changed = { ...stateOf(channelId), ...changes, blockNumber: block };
    channels.set(channelId, changed);
    return changed;
  };
  const transaction = () => `0x${block.toString(16).padStart(64, '0')}`;

  function deposit({ voucher, paymentJson }: DepositRequest): DepositResponse {
    const { amount, authorization } = readDeposit(paymentJson).payload.deposit;
    const { salt } = authorization.erc3009Authorization;
    const before = deposits.get(salt);
    if (before !== undefined) return before;
    const { channelId } = defined(voucher);
    const channel = change(channelId, { balance: String(BigInt(stateOf(channelId).balance) + BigInt(amount)) });
    const response: DepositResponse = {
      outcome: { $case: 'deposited', value: { transaction: transaction(), amount, channel } },
    };
    deposits.set(salt, response);
    return response;
  }

  function refund({ refundId, channelId, amount, claim }: RefundChannelRequest): RefundChannelResponse {
    const before = refunds.get(refundId);
    if (before !== undefined) return before;
    const { balance, refundNonce, totalClaimed } = stateOf(channelId);
    const channel = change(channelId, {
      balance: String(BigInt(balance) - BigInt(amount)),
      refundNonce: String(BigInt(refundNonce) + 1n),
      totalClaimed: claim?.totalClaimed ?? totalClaimed,
    });
    const response: RefundChannelResponse = {
      outcome: { $case: 'refunded', value: { transaction: transaction(), amount, channel } },
    };
    refunds.set(refundId, response);
    return response;
  }

  async function stored<Response extends DepositResponse | RefundChannelResponse>(
    response: Response,
  ): Promise<Response> {
    const { outcome } = response;
    const isDone = outcome?.$case === 'deposited' || outcome?.$case === 'refunded';
    if (isDone && outcome.value.channel !== undefined) await store(outcome.value.channel);
    return response;
  }

  const fault: {
    deposit?: (() => Promise<DepositResponse>) | undefined;
    read?: (() => Promise<never>) | undefined;
    /** What a read takes. Who waits for less time gets no answer. */
    readMs?: number;
    refund?: (() => Promise<RefundChannelResponse>) | undefined;
  } = {};
  const client: Pick<ChannelsClient, 'deposit' | 'read' | 'refund'> = {
    async deposit(request) {
      asked.deposit += 1;
      ranges.push(request.range);
      return stored(await (fault.deposit === undefined ? deposit(request) : fault.deposit()));
    },
    async read({ channelIds }, settings) {
      asked.read += 1;
      if ((settings?.timeoutMs ?? 0) < (fault.readMs ?? 0)) throw CallError.ofStatus(status.DEADLINE_EXCEEDED, 'slow');
      if (fault.read !== undefined) return fault.read();
      const read = channelIds.map(stateOf);
      await Promise.all(read.map(store));
      return { channels: read };
    },
    async refund(request) {
      asked.refund += 1;
      return stored(await (fault.refund === undefined ? refund(request) : fault.refund()));
    },
  };
  return {
    client,
    asked,
    /** The address ranges that deposits named. */
    ranges,
    /** Replaces an answer of the service until it is removed. */
    fault,
    stateOf,
    change,
    /** A deposit whose answer the gateway does not get. */
    deposit,
  };
}
