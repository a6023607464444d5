import type { ExecutionContext } from 'ava';
import type { Hex } from 'viem';
import type { RefusalCode } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Chain } from '../../../../services/payments/chain/chain.ts';
import { createPostgresClaims } from '../../../../services/payments/claims/postgres-claims.ts';
import type { Facilitator } from '../../../../services/payments/facilitator/facilitator.ts';
import { createPaymentReader } from '../../../../services/payments/payment/payment.ts';
import { createTerms, offerOf } from '../../../../services/payments/payment/terms.ts';
import { createBegin } from '../../../../services/payments/settlement/begin.ts';
import { createSettlement } from '../../../../services/payments/settlement/settlement.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet, signPayment, type Wallet } from '../../../kit/chain.ts';
import type { TestDatabase } from '../../../kit/test-database.ts';
import { openTrialLedger } from '../../ledger/store/store-fixture.ts';
import { answerOf, gate } from '../claims/claims-fixture.ts';
import { expectCase } from '../harness.ts';

const AMOUNT = '3000';
const hashOf = (digit: string): string => digit.repeat(64);
const terms = createTerms({
  network: 'eip155:31337',
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  sandbox: true,
});
const offer = offerOf(terms, AMOUNT);
const readPayment = createPaymentReader(terms);
const TRANSACTION: Hex = `0x${'9'.repeat(64)}`;
const logger = createLogger({ name: 'test', level: 'silent' });

/** Tokens of payers and the authorizations that moved them, without blocks. */
function createMoney() {
  const balances = new Map<Hex, bigint>();
  const used = new Set<Hex>();
  const balanceOf = async (payer: Hex) => balances.get(payer) ?? 0n;
  const chain: Chain = {
    balanceOf,
    blockNumber: async () => 7n,
    useOf: async ({ nonce }) => (used.has(nonce) ? 'perhaps_us' : 'nothing'),
    holdingsOf: async (payer, nonces) => ({
      balance: await balanceOf(payer),
      used: nonces.filter((nonce) => used.has(nonce)),
    }),
    stateOf: async ({ nonce }) =>
      used.has(nonce)
        ? { kind: 'settled', transaction: TRANSACTION, block: { number: 7n, hash: TRANSACTION } }
        : { kind: 'unused' },
  };
  return { balances, used, chain };
}

export interface SignedPayment {
  readonly paymentJson: string;
  readonly nonce: Hex;
}

/** The product's answers to payments, over the claims of a new network, with money of its own. */
export function openBegin(t: ExecutionContext, database: TestDatabase, verify: (nonce: Hex) => Promise<void>) {
  const ledger = openTrialLedger(t, database);
  const { pool, network } = ledger;
  const claims = createPostgresClaims({ pool, network, asset: terms.asset, hasChain: true, gate });
  const { balances, used, chain } = createMoney();
  const facilitator: Facilitator = {
    async verify({ authorization }) {
      await verify(authorization.nonce);
      return { ok: true };
    },
    async settle({ payer, authorization }, beforeSending) {
      await beforeSending(TRANSACTION);
      balances.set(payer, defined(balances.get(payer)) - authorization.value);
      used.add(authorization.nonce);
      return { kind: 'settled', transaction: TRANSACTION };
    },
  };
  const { now } = Date;
  const settlement = createSettlement({ network, claims, facilitator, chain, timeoutMs: 5000, now, logger });
  const begin = createBegin({
    readPayment,
    claims,
    facilitator,
    chain,
    settlement,
    network,
    leaseMarginMs: 0,
    admit: () => {},
    now,
    logger,
  });
  return {
    /** A payer who has some tokens. */
    fund(amount: bigint): Wallet {
      const wallet = createWallet();
      balances.set(wallet.address, amount);
      return wallet;
    },
    async pay(wallet: Wallet): Promise<SignedPayment> {
      const payment = await signPayment(wallet, offer);
      return { paymentJson: JSON.stringify(payment), nonce: payment.payload.authorization.nonce };
    },
    /** Presents a payment. A caller waits for less than a second. */
    begin: ({ paymentJson }: SignedPayment) =>
      begin(
        {
          paymentJson,
          amount: AMOUNT,
          fingerprint: hashOf('f'),
          offerSecretHash: hashOf('0'),
          paymentIdentifierHash: undefined,
          operationTimeoutMs: 2000,
          callsFrozen: false,
        },
        { deadlineMs: now() + 1500, signal: new AbortController().signal },
      ),
    async keep(claimId: string): Promise<void> {
      await ledger.keep(answerOf(claimId));
    },
    async settle(claimId: string, { paymentJson }: SignedPayment) {
      const read = readPayment(paymentJson, AMOUNT);
      if (!read.ok) throw new Error(read.reason);
      return settlement.attempt(defined(await claims.findById(claimId)), read.payment);
    },
  };
}

/** Executes and settles a payment. */
export async function settled(
  { begin, keep, settle }: ReturnType<typeof openBegin>,
  payment: SignedPayment,
): Promise<void> {
  const { claimId } = expectCase(await begin(payment), 'execute');
  await keep(claimId);
  const { kind } = Object(await settle(claimId, payment));
  if (kind !== 'settled') throw new Error(`the payment is ${kind}`);
}

export const refusal = (code: RefusalCode, reason: string) => ({
  outcome: { $case: 'refuse' as const, value: { code, reason, paymentResponseJson: undefined } },
});
