import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { encodeAbiParameters, type Hex, hexToBigInt, keccak256 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { COLLECTOR } from '../../../../services/payments/channels/addresses.ts';
import { type ChannelsClient, createChannelsClient } from '../../../../services/payments/contract/channels-client.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { connectChain, createNonce, createWallet } from '../../../helpers/chain.ts';
import { until } from '../../../helpers/until.ts';
import { startPayments } from '../harness.ts';
import { CHANNEL_TOKEN, type Channel, connectChannels, newChannel, signVoucher } from '../sandbox/channel-chain.ts';
import { placeContracts, startSandbox } from '../test-sandbox.ts';

/** Anvil's third development account pays for transactions. */
const SIGNER_KEY: Hex = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
export const AUTHORIZER_KEY = generatePrivateKey();
export const AUTHORIZER = privateKeyToAccount(AUTHORIZER_KEY);
export const NETWORK = 'eip155:31337';
export const PRICE = 14_000n;
export const MIN_DEPOSIT = 140_000n;
export const DELAY_S = 900;
export const CONFIRMATIONS = 3;
const CALL_MS = 60_000;

export const timed = { timeoutMs: CALL_MS };

type Settings = Readonly<Record<string, string>>;

/** For a call that is answered before its work is done. */
export const SOON = { timeoutMs: 3000 };

/** The first answer within the time. A busy machine may be late. */
export const soon = <Answer>(call: () => Promise<Answer>) => until(call);

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
    X402_FINALITY_INTERVAL_MS: '100',
    X402_REPLACE_AFTER_MS: '1000',
    ...changes,
  };
  const logger = createLogger({ name: 'test', level: 'silent' });
  const database = openDatabase({ url: sandbox.databaseUrl, connections: 2, logger });

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
    /** A channel whose deposit is final. */
    async open(channels: ChannelsClient, receiver = payee): Promise<Channel> {
      const channel = await stack.newFunded(undefined, receiver);
      const { request } = await newDeposit(channel);
      const { outcome } = await stack.whileMining(() => channels.deposit(request, timed));
      if (outcome?.$case !== 'deposited') throw new Error(JSON.stringify(outcome));
      return channel;
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
    async stop() {
      await database.destroy();
      await sandbox.stop();
    },
  };
  return stack;
}

/** What is counted for the transactions of a deposit or refund, of each account. */
export async function countedFor({ database }: ChannelStack, id: string): Promise<Readonly<Record<string, bigint>>> {
  const { rows } = await sql<{ account: string; gas: string }>`SELECT account, sum(gas)::text AS gas
    FROM ledger.spent_gas WHERE starts_with(cause, ${id}) GROUP BY account`.execute(database);
  return Object.fromEntries(rows.map(({ account, gas }) => [account, BigInt(gas)]));
}

export const wireConfig = ({ config }: Pick<Channel, 'config'>) => {
  const { withdrawDelay, ...addresses } = config;
  return { ...addresses, withdrawDelaySeconds: BigInt(withdrawDelay) };
};

export async function wireVoucher(channel: Channel, max: bigint) {
  const signature = await signVoucher(channel.payerAuthorizer, channel.id, max);
  return { channelId: channel.id, maxClaimableAmount: `${max}`, signature };
}

export const wireClaim = async (channel: Channel, total: bigint, max = total) => ({
  voucher: await wireVoucher(channel, max),
  totalClaimed: `${total}`,
});

const RECEIVE_TYPES = {
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export interface DepositChanges {
  readonly amount?: bigint;
  readonly max?: bigint;
  readonly validBefore?: bigint;
  readonly validAfter?: bigint;
  readonly signer?: Channel['payer'];
  readonly scheme?: string;
}

/** A deposit as the official client makes it. */
export async function newDeposit(channel: Channel, changes: DepositChanges = {}) {
  const { amount = MIN_DEPOSIT, max = PRICE, validAfter = 0n, signer = channel.payer } = changes;
  // Later than the clock of a chain on which a test lets a withdrawal end.
  const validBefore = changes.validBefore ?? BigInt(Math.floor(Date.now() / 1000) + 3000);
  const salt = createNonce();
  const nonce = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [channel.id, hexToBigInt(salt)]),
  );
  const message = { from: channel.payer.address, to: COLLECTOR, value: amount, validAfter, validBefore, nonce };
  const signature = await signer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: CHANNEL_TOKEN },
    types: RECEIVE_TYPES,
    primaryType: 'ReceiveWithAuthorization',
    message,
  });
  const voucher = await wireVoucher(channel, max);
  const authorization = { validAfter: `${validAfter}`, validBefore: `${validBefore}`, salt, signature };
  const payment = {
    x402Version: 2,
    accepted: { scheme: changes.scheme ?? 'batch-settlement', network: NETWORK, amount: `${PRICE}` },
    payload: {
      type: 'deposit',
      channelConfig: channel.config,
      voucher,
      deposit: { amount: `${amount}`, authorization: { erc3009Authorization: authorization } },
    },
  };
  return {
    request: { config: wireConfig(channel), voucher, paymentJson: JSON.stringify(payment) },
    id: `deposit:${channel.payer.address.toLowerCase()}:${nonce}`,
    /** Arguments with which anyone can send the deposit. */
    collectorData: encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }],
      [validAfter, validBefore, hexToBigInt(salt), signature],
    ),
    amount,
  };
}
