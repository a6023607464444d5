import { COLLECTOR } from '../../../../services/payments/channels/addresses.ts';
import type { ChannelContext } from '../../../../services/payments/channels/channel-context.ts';
import { readDepositPayload } from '../../../../services/payments/channels/deposit-payload.ts';
import { createDepositRules, createDeposits } from '../../../../services/payments/channels/deposits.ts';
import type { ChannelTransaction } from '../../../../services/payments/channels/transaction-records.ts';
import type { SendingContext, Started } from '../../../../services/payments/channels/transactions.ts';
import { createTypedData } from '../../../../services/payments/channels/typed-data.ts';
import { authorizationOf } from '../../../../services/payments/channels/verify-deposit.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { calls, newChannel } from '../sandbox/channel-chain.ts';
import { AUTHORIZER, type DepositChanges, MIN_DEPOSIT, newDeposit } from './channel-wire.ts';
import { createMemoryRecords, createStarts } from './memory-records.ts';
import { PAY_TO, STRANGER, startWatchedChain, terms } from './watched-chain.ts';

/** Each test file has a chain of its own, and stops it. */
export const chain = await startWatchedChain();

const OURS = { receiver: PAY_TO, receiverAuthorizer: AUTHORIZER.address, withdrawDelay: 900 };
const VALID_S = 1000n;

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
  const { options, ...asked } = createStarts(memory, () => started);
  const [remembered, noted, failures]: [unknown[], unknown[], string[]] = [[], [], []];
  const [steps, clock] = [{ admitted: 0 }, { nowS }];
  const deposits = createDeposits(
    contextOf<SendingContext>({
      ...options,
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
    ...{ ...asked, remembered, noted, failures },
    /** Sends the deposit, as anyone can. */
    send: () => chain.mine(calls.deposit(channel.config, amount, COLLECTOR, collectorData)),
    /** The stored deposit, with a signed transaction. */
    async stored(changed: Partial<ChannelTransaction> = {}): Promise<ChannelTransaction> {
      await deposit();
      return { ...defined(memory.known.get(id)), ...changed };
    },
  };
}
