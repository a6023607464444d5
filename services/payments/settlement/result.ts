import type { Hex } from 'viem';
import type { ChainState } from '../chain/chain.ts';
import type { Claim, Result } from '../claims/claims.ts';
import type { SettlementReport } from '../facilitator/facilitator.ts';

/** State of an authorization on the chain. `unsure`: the chain does not answer, or none is known. */
export type ChainView = ChainState | { readonly kind: 'unsure' };

/** Reasons of a settlement that failed because the payer moved the money or used the authorization. */
const PAYERS_FAULTS = /insufficient_(funds|balance)|nonce_already_used/;

type Ended = Extract<Result, { readonly paymentResponseJson: string }>;
type Failed = Extract<Result, { readonly state: 'failed' }>;

/** The x402 SettleResponse of a claim. */
function responseOf(
  network: string,
  { payer }: Claim,
  outcome: { readonly transaction: Hex } | { readonly errorReason: string },
): string {
  return JSON.stringify({ success: 'transaction' in outcome, transaction: '', network, payer, ...outcome });
}

const settled = (network: string, claim: Claim, transaction: Hex): Ended => ({
  state: 'settled',
  transaction,
  paymentResponseJson: responseOf(network, claim, { transaction }),
});

const failed = (
  network: string,
  claim: Claim,
  reason: string,
  { final = false, isPayersFault = PAYERS_FAULTS.test(reason) }: Partial<Pick<Failed, 'final' | 'isPayersFault'>> = {},
): Ended => ({
  state: 'failed',
  paymentResponseJson: responseOf(network, claim, { errorReason: reason }),
  isPayersFault,
  final,
});

/** The result that the chain proves; undefined where it proves none. */
export function provenResult(network: string, claim: Claim, view: ChainView): Ended | undefined {
  if (view.kind === 'settled') return settled(network, claim, view.transaction);
  return view.kind === 'void' && view.isConfirmed ? failed(network, claim, view.reason, { final: true }) : undefined;
}

export interface AttemptEvidence {
  readonly report: SettlementReport;
  readonly view: ChainView;
  /** Without a chain, the facilitator's report is the only evidence. */
  readonly hasChain: boolean;
}

/** The result to store after an attempt. The chain decides where one is known. */
export function resultOf(network: string, claim: Claim, { report, view, hasChain }: AttemptEvidence): Result {
  const proven = provenResult(network, claim, view);
  if (proven) return proven;
  if (report.kind === 'settled' && !hasChain) return settled(network, claim, report.transaction);
  if (view.kind === 'reverted') {
    const reason = report.kind === 'refused' ? report.reason : 'invalid_exact_evm_transaction_failed';
    return failed(network, claim, reason, { isPayersFault: true });
  }
  // The payer used up the gas of a mined transaction: another attempt would lose it again.
  const isBurned = report.kind === 'refused' && report.isPayersFault === true && report.transaction !== undefined;
  if (isBurned && view.kind === 'unused') return failed(network, claim, report.reason, { isPayersFault: true });
  // What an earlier attempt sent may still be mined, whatever the facilitator reports of this one.
  if (!isUnsent(claim)) return { state: 'pending' };
  if (view.kind === 'void') return failed(network, claim, view.reason);
  if (report.kind === 'unsent') return { state: 'unsent' };
  if (report.kind === 'refused' && (view.kind === 'unused' || !hasChain)) {
    const { reason, isPayersFault } = report;
    return failed(network, claim, reason, isPayersFault === undefined ? {} : { isPayersFault });
  }
  return { state: 'pending' };
}

export const isFirstAttempt = ({ state }: Claim) => state === 'executing' || state === 'retained';

/** Whether no transaction of an earlier attempt is on its way. */
const isUnsent = (claim: Claim) => isFirstAttempt(claim) || claim.state === 'unsent';
