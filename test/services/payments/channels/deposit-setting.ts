import type { Hex } from 'viem';
import { COLLECTOR } from '../../../../services/payments/channels/addresses.ts';
import type { ChannelContext } from '../../../../services/payments/channels/channel-context.ts';
import { readDepositPayload } from '../../../../services/payments/channels/deposit-payload.ts';
import { createDepositRules, createDeposits } from '../../../../services/payments/channels/deposits.ts';
import { type Reason, reasonOf } from '../../../../services/payments/channels/reasons.ts';
import type { ChannelTransaction, Ending } from '../../../../services/payments/channels/transaction-records.ts';
import type {
  ChannelCall,
  Fate,
  SendingContext,
  Started,
} from '../../../../services/payments/channels/transactions.ts';
import { createTypedData } from '../../../../services/payments/channels/typed-data.ts';
import { authorizationOf } from '../../../../services/payments/channels/verify-deposit.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { calls, newChannel } from '../sandbox/channel-chain.ts';
import { AUTHORIZER, type DepositChanges, MIN_DEPOSIT, newDeposit } from './channel-wire.ts';
import { createMemoryRecords, signedOnce } from './memory-records.ts';
import { hex32, PAY_TO, STRANGER, startWatchedChain, terms } from './watched-chain.ts';

/** Each test file has a chain of its own, and stops it. */
export const chain = await startWatchedChain();

/** No transaction has this hash. */
export const UNKNOWN = hex32(0xc1);
const OURS = { receiver: PAY_TO, receiverAuthorizer: AUTHORIZER.address, withdrawDelay: 900 };
const VALID_S = 1000n;
export const refused = (reason: Reason): Ending => ({ state: 'refused', reason: reasonOf(reason) });
export const done = (transaction: Hex): Ending => ({ state: 'done', transaction, amount: MIN_DEPOSIT });

interface Setting {
  readonly changes?: DepositChanges;
  readonly funds?: bigint;
  readonly isThrottled?: boolean;
  readonly started?: Started;
  readonly estimateFails?: Error;
  readonly range?: string;
}

/** A deposit of a new payer with tokens. */
export async function open(setting: Setting = {}) {
  const { changes, funds = MIN_DEPOSIT, isThrottled = false, started = 'started' } = setting;
  const channel = newChannel(OURS);
  await chain.mint(channel.payer.address, funds);
  const nowS = (await chain.latest()).timestamp;
  const validBefore = nowS + VALID_S;
  const { request, id, collectorData, amount } = await newDeposit(channel, { validBefore, ...changes });
  const payload = readDepositPayload({ ...request, range: setting.range });
  const { payer, nonce } = authorizationOf(payload);
  const memory = createMemoryRecords();
  const starts: { readonly id: string; readonly call: ChannelCall }[] = [];
  const [remembered, noted]: [unknown[], unknown[]] = [[], []];
  const [locked, followed, failures]: [string[], string[], string[]] = [[], [], []];
  const [steps, clock] = [{ admitted: 0 }, { nowS }];
  const deposits = createDeposits(
    contextOf<SendingContext>({
      rpc: chain.rpc,
      sender: {
        async estimateGas(call) {
          if (setting.estimateFails) throw setting.estimateFails;
          return chain.rpc.estimateGas({ ...call, account: STRANGER });
        },
      },
      blocks: chain.blocks,
      terms,
      channelTerms: { receiverAuthorizer: AUTHORIZER.address, withdrawDelaySeconds: 900, minDeposit: MIN_DEPOSIT },
      typedData: createTypedData(terms),
      claims: { payerState: async () => ({ isThrottled, inFlight: [], readAt: new Date() }) },
      channels: { remember: async (...args) => void remembered.push(args) },
      records: memory.records,
      transactions: {
        async start(transaction, call) {
          starts.push({ id: transaction.id, call });
          if (started !== 'started') return started;
          await call.beforeSigning?.();
          await memory.records.insert(transaction);
          return started;
        },
        async follow(name, untilMs) {
          followed.push(`${name} ${untilMs}`);
          return memory.known.get(name)?.ending;
        },
      },
      lock(name, work) {
        locked.push(name);
        return work();
      },
      now: () => Number(clock.nowS) * 1000,
    }),
  );
  const rules = createDepositRules(
    contextOf<ChannelContext>({
      rpc: chain.rpc,
      terms,
      claims: { countFailure: async (each) => void failures.push(each) },
      channels: { note: async (states) => void noted.push(...states) },
    }),
  );
  const deposit = () =>
    deposits.deposit(payload, 77, () => {
      steps.admitted += 1;
    });
  return {
    ...{ memory, channel, id, payer, nonce, validBefore, rules, deposit, steps, clock },
    ...{ starts, remembered, locked, followed, noted, failures },
    /** Sends the deposit, as anyone can. */
    send: () => chain.mine(calls.deposit(channel.config, amount, COLLECTOR, collectorData)),
    /** The stored deposit, with a signed transaction. */
    async stored(changed: Partial<ChannelTransaction> = {}): Promise<ChannelTransaction> {
      await deposit();
      const { fromBlock, request: text } = { ...defined(memory.known.get(id)) };
      return { ...signedOnce({ id, kind: 'deposit', request: text, fromBlock }, UNKNOWN), ...changed };
    },
  };
}

/** The place of a transaction at a final block. */
export const at = async (fate: Fate, { back = 0n, gasUsed = 0n, minedIn = [], timestamp }: AtBlock = {}) => {
  const confirmed = await chain.blockAt((await chain.latest()).number - back);
  return { confirmed: { ...confirmed, ...(timestamp && { timestamp }) }, fate, isMined: false, gasUsed, minedIn };
};
interface AtBlock {
  readonly back?: bigint;
  readonly gasUsed?: bigint;
  readonly minedIn?: readonly bigint[];
  readonly timestamp?: bigint;
}
