import type { Hex } from 'viem';
import { createCalls } from '../../../../services/payments/chain/calls.ts';
import { type Chain, createChain } from '../../../../services/payments/chain/chain.ts';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import type { Claims } from '../../../../services/payments/claims/claims.ts';
import { createClaimsGate } from '../../../../services/payments/claims/claims-gate.ts';
import { createPostgresClaims } from '../../../../services/payments/claims/postgres-claims.ts';
import { createOwnSigner } from '../../../../services/payments/facilitator/own-signer.ts';
import { createFinalityFollower } from '../../../../services/payments/finality/finality-follower.ts';
import { createUnfinalClaims } from '../../../../services/payments/finality/unfinal-claims.ts';
import type { Context, Lock } from '../../../../services/payments/payment/context.ts';
import { createPaymentReader } from '../../../../services/payments/payment/payment.ts';
import type { Terms } from '../../../../services/payments/payment/terms.ts';
import { createPaymentsService } from '../../../../services/payments/service.ts';
import { createAuthorizationCipher } from '../../../../services/payments/settlement/authorization-cipher.ts';
import { createBegin } from '../../../../services/payments/settlement/begin.ts';
import { createKeptAuthorizations } from '../../../../services/payments/settlement/kept-authorizations.ts';
import { createOpenClaimsFollower } from '../../../../services/payments/settlement/open-claims.ts';
import { createSettlement } from '../../../../services/payments/settlement/settlement.ts';
import type { SettlingContext } from '../../../../services/payments/settlement/settling-context.ts';
import { createGasBudget } from '../../../../services/payments/signer/gas-budget.ts';
import { createSignerTransactions } from '../../../../services/payments/signer/signer-transactions.ts';
import { createTransactionFollower } from '../../../../services/payments/signer/transaction-follower.ts';
import { createTransactionSender } from '../../../../services/payments/signer/transaction-sender.ts';
import type { SimulatedNode } from '../chain/node.ts';
import { createSimulatedRpc } from '../chain/rpc.ts';
import type { Handlers } from '../engine/machine.ts';
import { openSimulatedPool, type SimulatedPoolOptions } from '../postgres/simulated-pool.ts';
import { openSimulatedTables } from '../postgres/simulated-tables.ts';
import { serve } from './calls.ts';
import { logger, repeat } from './setting.ts';

/** Rarer than in the product, where it is a second: nothing but checks happens in between. */
const CHECK_EVERY_MS = 10_000;
const CLOCK_TOLERANCE_MS = 300_000;
const SETTLE_TIMEOUT_MS = 20_000;
export const LEASE_MARGIN_MS = 10_000;
const REPLACE_AFTER_MS = 10_000;
const MAX_FEE_PER_GAS = 10_000_000_000n;
const FOLLOW_EVERY_MS = 3000;
/** When nothing goes wrong any more, only time passes. */
const FOLLOW_AFTER_FAULTS_MS = 15_000;
export const CONFIRMATIONS = 4;
/** The first account of the test mnemonic that development chains use. */
const SIGNER_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const SIGNER_ADDRESS: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const AUTHORIZATION_KEYS = [{ id: 'k1', secret: Buffer.alloc(32, 2) }] as const;

/** Plants a fault into what the payments service sees of the chain. */
export type ChangeChain = (chain: Chain) => Chain;
/** Plants a fault into how the payments service uses its claims. */
export type ChangeClaims = (claims: Claims) => Claims;

export interface PaymentsOptions extends SimulatedPoolOptions {
  readonly terms: Terms;
  readonly node: SimulatedNode;
  readonly lock: Lock;
  /** The recurring work of this copy. In the product, a lock picks the copy for each. */
  readonly follows: 'finality' | 'open claims';
  readonly changeChain: ChangeChain | undefined;
  readonly changeClaims: ChangeClaims | undefined;
}

/** Starts a copy of the payments service with its own signer. */
export async function startPayments(options: PaymentsOptions): Promise<Handlers> {
  const { host, network: messages, faults, terms, node, lock, follows } = options;
  const { changeChain = (same) => same, changeClaims = (same) => same } = options;
  const { network, asset, chainId } = terms;
  const pool = openSimulatedPool(options);
  const database = openSimulatedTables(options);
  const gate = createClaimsGate({ pool, clockToleranceMs: CLOCK_TOLERANCE_MS, checkEveryMs: CHECK_EVERY_MS, logger });
  const { now } = gate;
  const context: Context = { network, terms, database, lock, now, logger };
  const transactions = createSignerTransactions(context);
  const rpc = createSimulatedRpc(host, node, messages, faults);
  const sender = createTransactionSender({
    ...{ rpc, chainId, lock, transactions, now },
    privateKey: SIGNER_KEY,
    maxFeePerGas: MAX_FEE_PER_GAS,
    replaceAfterMs: REPLACE_AFTER_MS,
  });
  const calls = createCalls(rpc);
  const { versionsOf } = transactions;
  const gasBudget = createGasBudget(context);
  const settleTimeoutMs = SETTLE_TIMEOUT_MS;
  const facilitator = createOwnSigner({ ...context, rpc, calls, sender, gasBudget, versionsOf, settleTimeoutMs });
  const blocks = createConfirmedBlocks({ rpc, confirmations: CONFIRMATIONS });
  const chain = changeChain(createChain({ rpc, calls, terms, blocks, versionsOf, now }));
  const claims = changeClaims(createPostgresClaims({ pool, network, asset, hasChain: true, gate }));
  const readPayment = createPaymentReader(terms);
  const cipher = createAuthorizationCipher(AUTHORIZATION_KEYS);
  const authorizations = createKeptAuthorizations({ ...context, cipher, readPayment });
  const settling: SettlingContext = {
    ...context,
    ...{ claims, facilitator, chain, authorizations, readPayment, settleTimeoutMs },
    leaseMarginMs: LEASE_MARGIN_MS,
    admit: () => {},
  };
  const settlement = createSettlement(settling);
  const service = createPaymentsService({
    ...settling,
    settlement,
    begin: createBegin({ ...settling, settlement }),
    sandbox: undefined,
    countPayments: () => Promise.reject(new Error('the simulation counts no payments')),
    readiness: gate.ready,
  });
  const known = { rpc, chain, blocks };
  const unfinal = createUnfinalClaims(context);
  const follow = createFinalityFollower({ ...settling, ...known, settlement, unfinal });
  await gate.check();
  const works = {
    finality: [follow, createTransactionFollower({ ...context, ...known }, sender)],
    'open claims': [createOpenClaimsFollower(settling, settlement)],
  };
  const work = async (signal: AbortSignal) => {
    for (const each of works[follows]) await each(signal);
  };
  repeat(host, () => (faults.isOn ? FOLLOW_EVERY_MS : FOLLOW_AFTER_FAULTS_MS), work);
  return { begin: serve(service.begin), settle: serve(service.settle), release: serve(service.release) };
}
