import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import type { Hex } from 'viem';
import { type ChannelsClient, createChannelsClient } from '../../../../services/payments/contract/channels-client.ts';
import { connectChain, createWallet } from '../../../kit/chain.ts';
import { until } from '../../../kit/until.ts';
import { startPayments } from '../harness.ts';
import { CHANNEL_TOKEN, type Channel, connectChannels, encodeDeposit, newChannel } from '../sandbox/channel-chain.ts';
import { placeContracts, startSandbox } from '../test-sandbox.ts';
import {
  AUTHORIZER,
  AUTHORIZER_KEY,
  DELAY_S,
  MIN_DEPOSIT,
  NETWORK,
  newDeposit,
  timed,
  wireConfig,
} from './channel-wire.ts';

/** Anvil's third development account pays for transactions. */
const SIGNER_KEY: Hex = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
export const CONFIRMATIONS = 3;

type Settings = Readonly<Record<string, string>>;

export type ChannelStack = Awaited<ReturnType<typeof startChannelStack>>;

/** Starts a payments service with a signer of its own on a chain with the contracts of the scheme. */
export async function startChannelStack(changes: Readonly<Record<string, string>> = {}) {
  const sandbox = await startSandbox();
  const chain = connectChannels(sandbox.rpcUrl);
  await placeContracts(sandbox.rpcUrl);
  const payee = createWallet().address;
  const { DATABASE_URL, TOLLHOUSE_DATA } = sandbox.env;
  const env = {
    DATABASE_URL: String(DATABASE_URL),
    TOLLHOUSE_DATA: String(TOLLHOUSE_DATA),
    X402_SIGNER_KEY: SIGNER_KEY,
    X402_RPC_URL: sandbox.rpcUrl,
    X402_PAY_TO: payee,
    X402_NETWORK: NETWORK,
    X402_RECEIVER_AUTHORIZER_KEY: AUTHORIZER_KEY,
    X402_WITHDRAW_DELAY_S: `${DELAY_S}`,
    X402_CONFIRMATIONS: `${CONFIRMATIONS}`,
    X402_FINALITY_INTERVAL_MS: '400',
    X402_REPLACE_AFTER_MS: '1000',
    ...changes,
  };
  const { database } = sandbox;

  async function start({ settings, ...options }: { readonly killAt?: string; readonly settings?: Settings } = {}) {
    const service = await startPayments({ env: { ...env, ...settings }, ...options });
    const channels = createChannelsClient(service.target);
    return {
      ...service,
      channels,
      async stop() {
        channels.close();
        await service.stop();
      },
    };
  }

  const { reorganize } = connectChain(sandbox.rpcUrl, CHANNEL_TOKEN);

  const stack = {
    sandbox,
    chain,
    database,
    payee,
    env,
    start,
    /** A channel that pays us, of a new wallet with tokens. */
    async newFunded(funds = 10n * MIN_DEPOSIT, receiver = payee): Promise<Channel> {
      const channel = newChannel({
        receiver,
        receiverAuthorizer: AUTHORIZER.address,
        withdrawDelay: DELAY_S,
      });
      await chain.mint(channel.payer.address, funds);
      return channel;
    },
    /** A channel that somebody opened, whose deposit is final and whose configuration the service knows. */
    async open(channels: ChannelsClient, receiver = payee): Promise<Channel> {
      const channel = await stack.newFunded(undefined, receiver);
      await chain.send(channel.payer.address, await encodeDeposit(channel, MIN_DEPOSIT));
      await chain.node.mine({ blocks: CONFIRMATIONS });
      await channels.read({ channelIds: [], configs: [wireConfig(channel)] }, timed);
      return channel;
    },
    /** A channel that the service opened, whose deposit is final. */
    async deposited(channels: ChannelsClient): Promise<Channel> {
      const channel = await stack.newFunded();
      const { request } = await newDeposit(channel);
      const { outcome } = await stack.whileMining(() => channels.deposit(request, timed));
      if (outcome?.$case !== 'deposited') throw new Error(JSON.stringify(outcome));
      return channel;
    },
    /** The later one of our time and that of the chain. */
    async nowS(): Promise<bigint> {
      const { timestamp } = await chain.node.getBlock();
      const own = BigInt(Math.floor(Date.now() / 1000));
      return own > timestamp ? own : timestamp;
    },
    transactionOf: (id: string) =>
      database.selectFrom('channel_transaction').selectAll().where('id', '=', id).executeTakeFirst(),
    transactions: () => database.selectFrom('channel_transaction').selectAll().orderBy('started_at').execute(),
    /** Keeps transactions unmined until the returned function is called, or the test ends. */
    async hold(t: ExecutionContext): Promise<() => Promise<void>> {
      const release = () => chain.node.setAutomine(true);
      await chain.node.setAutomine(false);
      t.teardown(release);
      return release;
    },
    /** Waits until so many transactions are held. */
    async untilHeld(count: number): Promise<void> {
      await until(async () => (await chain.node.getTxpoolStatus()).pending === count);
    },
    /** Waits until the chain has a state of a channel. */
    async untilState(
      channel: Channel,
      isReached: (state: Awaited<ReturnType<typeof chain.stateOf>>) => boolean,
    ): Promise<void> {
      await until(async () => isReached(await chain.stateOf(channel)));
    },
    /** Removes the last blocks, with the transactions in them. What is sent again is not mined before the check ends. */
    async reorganize(depth: number, check: () => Promise<void>): Promise<void> {
      await chain.node.setAutomine(false);
      try {
        await reorganize(depth);
        await check();
      } finally {
        await chain.node.setAutomine(true);
      }
    },
    /** Mines blocks until the work is done: fewer and fewer, because anvil keeps the states of 500 blocks to reorganize. */
    async whileMining<T>(work: () => Promise<T>): Promise<T> {
      let isDone = false;
      const result = work().finally(() => {
        isDone = true;
      });
      for (let pauseMs = 15; !isDone; pauseMs = Math.min(pauseMs + 1, 200)) {
        await chain.node.mine({ blocks: 1 });
        await delay(pauseMs);
      }
      return result;
    },
    /** Sends a call of the contract before all that waits to be mined, and mines one block. The sender offers more. */
    async overtake(from: Hex, data: Hex): Promise<Hex> {
      await chain.node.impersonateAccount({ address: from });
      await chain.node.setBalance({ address: from, value: 10n ** 18n });
      const hash = await chain.node.sendTransaction({
        account: from,
        chain: null,
        to: chain.settlement.address,
        data,
        gas: 500_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 5n * 10n ** 10n,
      });
      await chain.node.mine({ blocks: 1 });
      return hash;
    },
    stop: () => sandbox.stop(),
  };
  return stack;
}

let shared: ReturnType<typeof startShared> | undefined;

async function startShared() {
  const stack = await startChannelStack();
  return { stack, service: await stack.start() };
}

/**
 * The stack of all test files of this process that need no settings of their own, with its service. It ends with the
 * process. Tests count only what is theirs, restore what they change, and expect that the clock of the chain is ahead.
 */
export function useChannelStack(): ReturnType<typeof startShared> {
  shared ??= startShared();
  return shared;
}

/** What is counted and on its way for a deposit or refund, of each account. */
export async function countedFor({ database }: ChannelStack, id: string): Promise<Readonly<Record<string, bigint>>> {
  const { rows } = await sql<{ account: string; gas: string }>`SELECT account, sum(gas + on_its_way)::text AS gas
    FROM ledger.spent_gas WHERE cause = ${id} GROUP BY account`.execute(database);
  return Object.fromEntries(rows.map(({ account, gas }) => [account, BigInt(gas)]));
}
