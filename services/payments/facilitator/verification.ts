import type { CallOutcome, Calls } from '../chain/calls.ts';
import type { ContractCall } from '../chain/multicall.ts';
import {
  authorizationStateCall,
  balanceOfCall,
  NAME_CALL,
  readText,
  readWord,
  transferCall,
  VERSION_CALL,
} from '../chain/token-calls.ts';
import type { Payment } from '../payment/payment.ts';
import type { Terms } from '../payment/terms.ts';

/* The checks and the reasons of the exact scheme (x402), as its reference facilitator has them. */

const EXPIRED = 'invalid_exact_evm_payload_authorization_valid_before';
const NOT_YET_VALID = 'invalid_exact_evm_payload_authorization_valid_after';
const USED = 'invalid_exact_evm_nonce_already_used';
const NO_FUNDS = 'invalid_exact_evm_insufficient_balance';
const NO_TOKEN = 'asset_not_deployed_contract';

/** Seconds that an authorization must still be valid for its transaction to be mined. */
const MINING_ROOM_S = 6;

export interface VerifierOptions {
  readonly calls: Calls;
  readonly terms: Pick<Terms, 'asset' | 'assetName' | 'assetVersion'>;
  readonly now: () => number;
}

/** Methods return the reason for which the token would refuse a payment now, or undefined. They throw without an answer. */
export interface Verifier {
  /** The reason for a payment that is presented. */
  verify(payment: Payment): Promise<string | undefined>;
  /** The reason for a payment that is due: what its transaction would fail with. */
  check(payment: Payment): Promise<string | undefined>;
}

export function createVerifier(options: VerifierOptions): Verifier {
  const { calls, terms, now } = options;
  const { asset: target } = terms;
  async function simulate(payment: Payment): Promise<CallOutcome | 'no token'> {
    const [balance, simulated] = await Promise.all([
      calls.read({ target, data: balanceOfCall(payment.payer) }),
      calls.simulate(settlementCall(terms, payment)),
    ]);
    // An address without code accepts every call.
    return balance.success && readWord(balance.data) === undefined ? 'no token' : simulated;
  }
  return {
    async verify(payment) {
      const fault = findTimeFault(payment, now());
      if (fault !== undefined) return fault;
      const outcome = await simulate(payment);
      if (outcome === 'no token') return NO_TOKEN;
      return outcome.success ? undefined : diagnose(options, payment);
    },
    async check(payment) {
      const fault = findTimeFault(payment, now());
      if (fault !== undefined) return fault;
      const outcome = await simulate(payment);
      if (outcome === 'no token') return NO_TOKEN;
      return outcome.success ? undefined : reasonOf(outcome.message);
    },
  };
}

/** The call that settles a payment. */
export const settlementCall = (
  { asset }: Pick<Terms, 'asset'>,
  { authorization, signature }: Payment,
): ContractCall => ({
  target: asset,
  data: transferCall(authorization, signature),
});

function findTimeFault({ authorization }: Payment, nowMs: number): string | undefined {
  const nowS = BigInt(Math.floor(nowMs / 1000));
  if (authorization.validBefore < nowS + BigInt(MINING_ROOM_S)) return EXPIRED;
  return authorization.validAfter > nowS ? NOT_YET_VALID : undefined;
}

/** Finds out why a simulation failed. The order is that of the reference. */
async function diagnose({ calls, terms }: VerifierOptions, { payer, authorization }: Payment): Promise<string> {
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
  return 'invalid_exact_evm_transaction_simulation_failed';
}

const wordOf = (outcome: CallOutcome | undefined): bigint | undefined =>
  outcome?.success ? readWord(outcome.data) : undefined;

/** What the texts of tokens mean, as the reference reads them. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/authorization.*(expired|valid before)/i, EXPIRED],
  [/authorization.*not.*valid/i, NOT_YET_VALID],
  [/authorization.*used/i, USED],
  [/transfer.*exceeds.*balance|insufficient.*balance/i, NO_FUNDS],
  [/invalid.*signature/i, 'invalid_exact_evm_signature'],
];

const reasonOf = (message: string): string =>
  REASONS.find(([text]) => text.test(message))?.[1] ?? 'invalid_exact_evm_transaction_failed';
