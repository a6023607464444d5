import type { Hex } from 'viem';
import { createCalls } from '../../../../services/payments/chain/calls.ts';
import { createChain } from '../../../../services/payments/chain/chain.ts';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { createClaimsGuard } from '../../../../services/payments/claims/claims-guard.ts';
import { createRecordedClaims } from '../../../../services/payments/claims/recorded-claims.ts';
import { createRedisClaims } from '../../../../services/payments/claims/redis-claims.ts';
import { createOwnSigner } from '../../../../services/payments/facilitator/own-signer.ts';
import { createFinalityFollower } from '../../../../services/payments/finality/finality-follower.ts';
import { createPaymentReader } from '../../../../services/payments/payment/payment.ts';
import type { Terms } from '../../../../services/payments/payment/terms.ts';
import { createPaymentsService } from '../../../../services/payments/service.ts';
import { createBegin } from '../../../../services/payments/settlement/begin.ts';
import { createSettlement } from '../../../../services/payments/settlement/settlement.ts';
import { createReplacements } from '../../../../services/payments/signer/replacements.ts';
import { createLock } from '../../../../services/payments/signer/signer-lock.ts';
import { createTransactionSender } from '../../../../services/payments/signer/transaction-sender.ts';
import { createRedisClock } from '../../../../services/platform/redis/redis-clock.ts';
import type { SimulatedNode } from '../chain/node.ts';
import { createSimulatedRpc } from '../chain/rpc.ts';
import type { Host } from '../engine/host.ts';
import type { Handlers } from '../engine/machine.ts';
import { createSimulatedClaimRecords, createSimulatedClaimsWitness } from '../store/simulated-claim-records.ts';
import { createSimulatedAuthorizations, createSimulatedUnfinalClaims } from '../store/simulated-finality.ts';
import { createStatements } from '../store/statements.ts';
import { serve } from './calls.ts';
import type { Plant } from './plants.ts';
import { connectRedis, logger, prefixOf, repeat, type Setting } from './setting.ts';

const REDIS_TIMEOUT_MS = 1000;
const CHECK_EVERY_MS = 120_000;
const CLOCK_TOLERANCE_MS = 300_000;
const SETTLE_TIMEOUT_MS = 20_000;
const LEASE_MARGIN_MS = 10_000;
const REPLACE_AFTER_MS = 10_000;
const MAX_FEE_PER_GAS = 10_000_000_000n;
const FOLLOW_EVERY_MS = 3000;
/** When nothing goes wrong any more, only time passes. */
const FOLLOW_AFTER_FAULTS_MS = 15_000;
export const CONFIRMATIONS = 4;
/** The first account of the test mnemonic that development chains use. */
const SIGNER_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const SIGNER_ADDRESS: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

export interface PaymentsOptions {
  readonly terms: Terms;
  readonly node: SimulatedNode;
  /** Whether this copy follows settlements until they are final. In the product, a lock picks the copy. */
  readonly follows: boolean;
  readonly plant: Plant;
}

/** Starts a copy of the payments service with its own signer. */
export async function startPayments(setting: Setting, host: Host, options: PaymentsOptions): Promise<Handlers> {
  const { tables, network: messages, faults } = setting;
  const { terms, node, follows, plant } = options;
  const { network, asset, chainId } = terms;
  const client = connectRedis(setting, host);
  const clock = createRedisClock({ client, timeoutMs: REDIS_TIMEOUT_MS, toleranceMs: CLOCK_TOLERANCE_MS });
  const { now } = clock;
  const statement = createStatements(host, messages, faults);
  const guard = createClaimsGuard({
    client,
    witness: createSimulatedClaimsWitness(tables, statement, network),
    network,
    isDurabilityVouched: false,
    timeoutMs: REDIS_TIMEOUT_MS,
    checkEveryMs: CHECK_EVERY_MS,
    findClockFault: clock.findFault,
    logger,
  });
  await client.connect();
  const records = createSimulatedClaimRecords(tables, statement, terms);
  const redisClaims = createRedisClaims({
    client,
    subscriber: client,
    guard,
    timeoutMs: REDIS_TIMEOUT_MS,
    network,
    asset,
  });
  const claims = createRecordedClaims({ claims: redisClaims, records, logger });
  const lock = createLock({ client, prefix: prefixOf(setting), timeoutMs: REDIS_TIMEOUT_MS });
  const replacements = createReplacements({ client, prefix: prefixOf(setting), timeoutMs: REDIS_TIMEOUT_MS });
  const rpc = createSimulatedRpc(host, node, messages, faults);
  const sender = createTransactionSender({
    rpc,
    chainId,
    privateKey: SIGNER_KEY,
    maxFeePerGas: MAX_FEE_PER_GAS,
    replaceAfterMs: REPLACE_AFTER_MS,
    lock,
    replacements,
    now,
  });
  const calls = createCalls(rpc);
  const facilitator = createOwnSigner({ rpc, calls, terms, sender, timeoutMs: SETTLE_TIMEOUT_MS, now });
  const realChain = createChain({ rpc, calls, terms, versionsOf: replacements.versionsOf, now });
  const chain = plant.chain === undefined ? realChain : plant.chain(realChain);
  const readPayment = createPaymentReader(terms);
  const authorizations = createSimulatedAuthorizations(tables, statement, readPayment);
  const settlement = createSettlement({
    network,
    claims,
    facilitator,
    chain,
    timeoutMs: SETTLE_TIMEOUT_MS,
    logger,
    keep: authorizations.keep,
  });
  const begin = createBegin({
    terms,
    readPayment,
    claims,
    facilitator,
    chain,
    settlement,
    leaseMarginMs: LEASE_MARGIN_MS,
    admit: () => {},
    now,
    logger,
  });
  const service = createPaymentsService({
    terms,
    claims,
    begin,
    settlement,
    hasChain: true,
    readPayment,
    sandbox: undefined,
    countPayments: () => Promise.reject(new Error('the simulation counts no payments')),
    claimsReadiness: guard.ready,
    now,
    logger,
  });
  const follower = createFinalityFollower({
    unfinal: createSimulatedUnfinalClaims(tables, statement, terms),
    authorizations,
    chain,
    blocks: createConfirmedBlocks({ rpc, confirmations: CONFIRMATIONS }),
    facilitator,
    claims,
    settlement,
    isSandbox: false,
    logger,
  });
  await guard.check();
  if (follows) repeat(host, () => (faults.isOn ? FOLLOW_EVERY_MS : FOLLOW_AFTER_FAULTS_MS), follower.follow);
  return {
    begin: serve(service.begin),
    settle: serve(service.settle),
    release: serve(service.release),
    resolve: serve(service.resolve),
  };
}
