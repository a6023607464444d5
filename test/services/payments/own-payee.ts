import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { defined } from '../../../workers/exact/defined.ts';
import {
  connectChain,
  createWallet,
  type PaymentPayload,
  signPayment,
  type WireAuthorization,
} from '../../kit/chain.ts';
import { until } from '../../kit/until.ts';
import { AMOUNT, expectCase, offerOf, present, startPayments } from './harness.ts';
import { openKeptAnswers } from './kept-answers.ts';
import { placeContracts, SANDBOX_ASSET, startSandbox } from './test-sandbox.ts';

/** Anvil's third development account. It is the signer and the payee. */
export const SIGNER_KEY: Hex = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
export const PAYEE = privateKeyToAccount(SIGNER_KEY).address;
/** Blocks after which the settlements of these tests are final. */
export const CONFIRMATIONS = 8;
/** How many blocks a reorganization replaces: the settlement, and the blocks on top of it. */
export const REORGANIZED_BLOCKS = 5;
const FUNDS = BigInt(AMOUNT) * 10n;

export interface SettledPayment {
  readonly payment: PaymentPayload;
  readonly claimId: string;
  readonly transaction: Hex;
}

type Settings = Readonly<Record<string, string>>;

export type OwnPayee = Awaited<ReturnType<typeof startOwnPayee>>;

/**
 * Starts a payments service that holds the key of its payee, with its servers.
 * @param changes of the environment of the service, perhaps with a node in front of that of the chain
 */
export async function startOwnPayee(changes: Settings | ((rpcUrl: string) => Promise<Settings>) = {}) {
  const sandbox = await startSandbox();
  await placeContracts(sandbox.rpcUrl);
  const chain = connectChain(sandbox.rpcUrl, SANDBOX_ASSET);
  const results = await openKeptAnswers(sandbox.databaseUrl, 'eip155:31337');
  const { database } = sandbox;
  const { DATABASE_URL, TOLLHOUSE_DATA } = sandbox.env;
  const env = {
    DATABASE_URL: defined(DATABASE_URL),
    TOLLHOUSE_DATA: defined(TOLLHOUSE_DATA),
    X402_SIGNER_KEY: SIGNER_KEY,
    X402_RPC_URL: sandbox.rpcUrl,
    X402_PAY_TO: PAYEE,
    X402_NETWORK: 'eip155:31337',
    X402_CONFIRMATIONS: `${CONFIRMATIONS}`,
    X402_FINALITY_INTERVAL_MS: '400',
    X402_REPLACE_AFTER_MS: '1000',
    ...(typeof changes === 'function' ? await changes(sandbox.rpcUrl) : changes),
  };
  let service = await startPayments({ env });
  const offer = offerOf(await service.terms());

  /** Begins a payment of a new wallet. */
  async function begun(authorization: Partial<WireAuthorization> = {}) {
    const wallet = createWallet();
    await chain.mint(wallet.address, FUNDS);
    // A reorganization of the settlement leaves these funds.
    await chain.node.mine({ blocks: REORGANIZED_BLOCKS });
    const validBefore = `${Math.floor(Date.now() / 1000) + 600}`;
    const payment = await signPayment(wallet, offer, { validBefore, ...authorization });
    const execute = expectCase(await service.begin(present(payment, { operationTimeoutMs: 1000 })), 'execute');
    return { wallet, payment, claimId: execute.claimId };
  }

  /** Executes a payment of a new wallet and retains its result. */
  async function executed(authorization: Partial<WireAuthorization> = {}) {
    const payment = await begun(authorization);
    await results.keep(payment.claimId);
    return payment;
  }

  const claimOf = async (claimId: string) => defined(await results.claimOf(claimId));
  const untilClaim = (claimId: string, is: (claim: Awaited<ReturnType<typeof claimOf>>) => boolean) =>
    until(async () => is(await claimOf(claimId)));

  return {
    sandbox,
    chain,
    database,
    offer,
    env,
    service: () => service,
    /** Stops the service, unless a test has done so, and starts it again. */
    async restart(others: Readonly<Record<string, string>> = {}) {
      await service.stop();
      service = await startPayments({ env: { ...env, ...others } });
    },
    /** Lets something happen while the service stands still. */
    async whilePaused(work: () => Promise<unknown>): Promise<void> {
      process.kill(service.pid, 'SIGSTOP');
      await work().finally(() => process.kill(service.pid, 'SIGCONT'));
    },
    begun,
    executed,
    claimOf,
    untilClaim,
    /** Pays from a new wallet, with three blocks on top of the settlement. */
    async settled(authorization: Partial<WireAuthorization> = {}): Promise<SettledPayment> {
      const { payment, claimId } = await executed(authorization);
      await service.settle(claimId);
      // On a busy machine, a settlement may be pending when its time is over.
      if (!(await untilClaim(claimId, (claim) => claim.state === 'settled'))) throw new Error('it is not settled');
      await chain.node.mine({ blocks: 3 });
      const isLocated = await untilClaim(claimId, ({ block_number }) => block_number !== null);
      if (!isLocated) throw new Error('the settlement was not located');
      const { transaction } = await claimOf(claimId);
      return { payment, claimId, transaction: defined(transaction) as Hex };
    },
    /** Makes a settlement final. */
    async finalize(claimId: string): Promise<void> {
      await chain.node.mine({ blocks: CONFIRMATIONS });
      const isFinal = await untilClaim(claimId, ({ finalized_at }) => finalized_at !== null);
      if (!isFinal) throw new Error('the settlement is not final');
    },
    authorizationOf: (claimId: string) =>
      database.selectFrom('payment_authorization').selectAll().where('claim_id', '=', claimId).executeTakeFirst(),
    chargedTo: async ({ payload }: PaymentPayload) => FUNDS - (await chain.balanceOf(payload.authorization.from)),
    async stop() {
      await results.close();
      await service.kill();
      await sandbox.stop();
    },
  };
}
