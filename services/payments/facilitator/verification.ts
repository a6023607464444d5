import type { CallOutcome } from '../chain/calls.ts';
import { decide } from '../chain/nodes.ts';
import {
  authorizationStateCall,
  balanceOfCall,
  NAME_CALL,
  readText,
  readWord,
  VERSION_CALL,
} from '../chain/token-calls.ts';
import type { Payment } from '../payment/payment.ts';
import type { Terms } from '../payment/terms.ts';
import { GAS_PER_SETTLEMENT } from '../signer/gas-budget.ts';
import { fitsAlone, settlementCall, transactionFor } from './batch-transaction.ts';
import type { SigningContext } from './signing-context.ts';

/* The checks and the reasons of the exact scheme (x402), as its reference facilitator has them. */

const EXPIRED = 'invalid_exact_evm_payload_authorization_valid_before';
const NOT_YET_VALID = 'invalid_exact_evm_payload_authorization_valid_after';
export const USED = 'invalid_exact_evm_nonce_already_used';
export const NO_FUNDS = 'invalid_exact_evm_insufficient_balance';
const WRONG_SIGNATURE = 'invalid_exact_evm_signature';
const NOT_DEPLOYED = 'undeployed_smart_wallet';
const NO_TOKEN = 'asset_not_deployed_contract';

export const TRANSACTION_FAILED = 'invalid_exact_evm_transaction_failed';

/** The gas of today is used up: that of the payer, or that of all payers with code. */
export const TOO_MUCH_GAS = 'too_much_gas_today';

/** Seconds that an authorization must still be valid for its transaction to be mined. */
const MINING_ROOM_S = 6;

/** Why a payment that is due would fail. */
export interface Failure {
  readonly reason: string;
  /** Whether the payer has code, which decides by itself what it signed, or had some that agreed before. */
  readonly isPayersFault: boolean;
}

export type Verifier = ReturnType<typeof createVerifier>;

/** Methods return the reason for which the token would refuse a payment now, or undefined. They throw without an answer. */
export function createVerifier(context: SigningContext) {
  const { calls, terms, sender, gasBudget, now } = context;
  const { asset: target } = terms;
  async function simulate(payment: Payment) {
    const isByKey = payment.walletSignature === undefined;
    const [balance, together, hasCode] = await Promise.all([
      calls.read({ target, data: balanceOfCall(payment.payer) }),
      // Whoever made up a signature has the node run no code without a bound.
      isByKey ? calls.simulate(settlementCall(terms, payment)) : NOT_RUN,
      calls.hasCode(payment.payer),
    ]);
    // An address without code accepts every call.
    const isToken = !balance.success || readWord(balance.data) !== undefined;
    // A reason for which there is nothing to simulate.
    const fault = isToken ? findMissingCode(payment, hasCode) : NO_TOKEN;
    // Code could answer a simulation that it can tell from the transaction otherwise.
    const mustRunAlone = fault === undefined && hasCode && (together.success || !isByKey);
    const outcome = mustRunAlone ? await sender.simulate(transactionFor(terms, [payment])) : together;
    return { fault, hasCode, outcome };
  }
  async function verify(payment: Payment): Promise<string | undefined> {
    const fault = findTimeFault(payment, now()) ?? findSizeFault(terms, payment);
    if (fault !== undefined) return fault;
    const { payer } = payment;
    const [{ fault: unfit, hasCode, outcome }, isUsedUp] = await Promise.all([
      simulate(payment),
      gasBudget.isUsedUp(payer),
    ]);
    if (unfit !== undefined) return unfit;
    if (!outcome.success) return diagnose(context, payment, outcome.message);
    if (!hasCode) return isUsedUp ? TOO_MUCH_GAS : undefined;
    return (await gasBudget.hasRoom([payer, 'code'], GAS_PER_SETTLEMENT)) ? undefined : TOO_MUCH_GAS;
  }
  return {
    /** The reason for a payment that is presented. */
    verify: (payment: Payment): Promise<string | undefined> => decide(() => verify(payment)),
    /** What the transaction of a payment that is due would fail with. */
    async check(payment: Payment): Promise<Failure | undefined> {
      const late = findTimeFault(payment, now());
      if (late !== undefined) return { reason: late, isPayersFault: false };
      const { fault, hasCode, outcome } = await decide(() => simulate(payment));
      const isPayersFault = hasCode || payment.walletSignature !== undefined;
      if (fault !== undefined) return { reason: fault, isPayersFault };
      if (outcome.success) return undefined;
      return { reason: reasonOf(outcome.message) ?? TRANSACTION_FAILED, isPayersFault };
    },
  };
}

const NOT_RUN: CallOutcome = { success: false, message: 'not run' };

function findTimeFault({ authorization }: Payment, nowMs: number): string | undefined {
  const nowS = BigInt(Math.floor(nowMs / 1000));
  if (authorization.validBefore < nowS + BigInt(MINING_ROOM_S)) return EXPIRED;
  return authorization.validAfter > nowS ? NOT_YET_VALID : undefined;
}

/** A signature for which the gas of a settlement cannot suffice. */
const findSizeFault = (terms: Terms, payment: Payment): string | undefined =>
  payment.walletSignature === undefined || fitsAlone(terms, payment) ? undefined : WRONG_SIGNATURE;

/** Why an account without code cannot have made a signature that is not of its key. Nothing is deployed for a payment. */
function findMissingCode({ signature, walletSignature }: Payment, hasCode: boolean): string | undefined {
  if (walletSignature === undefined || hasCode) return undefined;
  return walletSignature === signature ? WRONG_SIGNATURE : NOT_DEPLOYED;
}

/** Finds out why a simulation failed. The order is that of the reference. */
async function diagnose(
  { calls, terms }: SigningContext,
  { payer, authorization }: Payment,
  message: string,
): Promise<string> {
  const { asset: target, assetName, assetVersion } = terms;
  const [state, name, version, balance] = await Promise.all(
    [authorizationStateCall(payer, authorization.nonce), NAME_CALL, VERSION_CALL, balanceOfCall(payer)].map((data) =>
      calls.read({ target, data }),
    ),
  );
  const used = wordOf(state);
  if (used === undefined) return 'invalid_exact_evm_eip3009_not_supported';
  if (used !== 0n) return USED;
  if (name?.success && readText(name.data) !== assetName) return 'invalid_exact_evm_token_name_mismatch';
  if (version?.success && readText(version.data) !== assetVersion) return 'invalid_exact_evm_token_version_mismatch';
  const held = wordOf(balance);
  if (held !== undefined && held < authorization.value) return NO_FUNDS;
  // Such as a time that our clock has reached, and the latest block has not.
  return reasonOf(message) ?? 'invalid_exact_evm_transaction_simulation_failed';
}

const wordOf = (outcome: CallOutcome | undefined): bigint | undefined =>
  outcome?.success ? readWord(outcome.data) : undefined;

/** What the texts of tokens mean, as the reference reads them. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/authorization.*(expired|valid before)/i, EXPIRED],
  [/authorization.*not.*valid/i, NOT_YET_VALID],
  [/authorization.*used/i, USED],
  [/transfer.*exceeds.*balance|insufficient.*balance/i, NO_FUNDS],
  [/invalid.*signature/i, WRONG_SIGNATURE],
];

const reasonOf = (message: string): string | undefined => REASONS.find(([text]) => text.test(message))?.[1];
