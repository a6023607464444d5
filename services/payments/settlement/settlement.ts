import { channel } from 'node:diagnostics_channel';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import type { Logger } from '../../platform/process/logger.ts';
import type { Chain, ChainState } from '../chain/chain.ts';
import { pollFor } from '../chain/rpc.ts';
import type { Claim, Claims, Result } from '../claims/claims.ts';
import type { Facilitator, SettlementClaim } from '../facilitator/facilitator.ts';
import type { Payment } from '../payment/payment.ts';

const step = channel('tollhouse:step');

/** How long another node may take to show a transaction that a facilitator names. */
const PROOF_MS = 5000;
/** Reasons for which a settlement fails after a payer has moved the money or used the authorization. */
const PAYERS_FAULTS = /insufficient_(funds|balance)|nonce_already_used/;
/** Added to the facilitator's time, for the proof and for writing it down. */
const LEASE_MARGIN_MS = PROOF_MS + 3000;

/** `unsure`: the chain cannot be asked, or there is none to ask. */
export type Standing = ChainState | { readonly kind: 'unsure' };

export type Settled =
  | { readonly kind: 'settled' | 'failed'; readonly paymentResponseJson: string }
  | { readonly kind: 'pending' | 'unsent' };

export interface SettlementOptions {
  readonly network: string;
  readonly claims: Claims;
  readonly facilitator: Facilitator;
  readonly chain: Chain | undefined;
  readonly timeoutMs: number;
  readonly logger: Logger;
  /**
   * Runs before a settlement is written down: the sandbox saves its chain, which could forget it. While that fails the
   * settlement is pending.
   */
  readonly onSettled?: () => Promise<void>;
}

export interface Settlement {
  /** Asks the chain, and writes down what it proves. `claim` is the claim as it stands afterwards. */
  consult(claim: Claim): Promise<{ readonly claim: Claim; readonly standing: Standing }>;
  /** One attempt; undefined when another one is alive. Safe in parallel, over several copies. */
  attempt(claim: Claim, payment: Payment): Promise<Settled | 'busy' | 'gone'>;
}

export function createSettlement(options: SettlementOptions): Settlement {
  const { network, claims, facilitator, chain, timeoutMs, logger } = options;

  const responseOf = (claim: Claim, outcome: { readonly transaction: Hex } | { readonly errorReason: string }) =>
    JSON.stringify({ success: 'transaction' in outcome, transaction: '', network, payer: claim.payer, ...outcome });

  async function look(claim: Claim): Promise<Standing> {
    if (chain === undefined) return { kind: 'unsure' };
    try {
      return await chain.look(claim);
    } catch (error) {
      logger.warn({ err: error, claimId: claim.claimId }, 'the chain cannot tell');
      return { kind: 'unsure' };
    }
  }

  function proven(claim: Claim, standing: Standing): (Result & { paymentResponseJson: string }) | undefined {
    if (standing.kind === 'settled') {
      return { state: 'settled', paymentResponseJson: responseOf(claim, { transaction: standing.transaction }) };
    }
    if (standing.kind !== 'void') return undefined;
    return { ...failed(claim, standing.reason), final: true };
  }

  const failed = (claim: Claim, reason: string) => ({
    state: 'failed' as const,
    paymentResponseJson: responseOf(claim, { errorReason: reason }),
    isPayersFault: PAYERS_FAULTS.test(reason),
  });

  /** Whether the chain will not forget a settlement. A chain that was started again meanwhile has forgotten it. */
  async function isLasting(claim: Claim): Promise<boolean> {
    if (options.onSettled === undefined) return true;
    try {
      await options.onSettled();
    } catch (error) {
      logger.warn({ err: error, claimId: claim.claimId }, 'a settlement was not saved');
      return false;
    }
    return (await look(claim)).kind === 'settled';
  }

  /** What to write down after an attempt. The chain decides; without one the facilitator's word is all there is. */
  function judge(claim: Claim, word: SettlementClaim, standing: Standing): Result {
    const proof = proven(claim, standing);
    if (proof) return proof;
    if (word.kind === 'settled' && chain === undefined) {
      return { state: 'settled', paymentResponseJson: responseOf(claim, { transaction: word.transaction }) };
    }
    // What an earlier attempt sent may still be mined, whatever the facilitator says of this one.
    if (!isUnsent(claim)) return { state: 'pending' };
    if (word.kind === 'unsent') return { state: 'unsent' };
    if (word.kind === 'refused' && (standing.kind === 'unused' || chain === undefined)) {
      return { ...failed(claim, word.reason), final: false };
    }
    return { state: 'pending' };
  }

  const noteFor = (claim: Claim, attemptId: string | undefined) => async (transaction: Hex) => {
    if (await claims.noteTransaction(claim, attemptId, transaction)) return;
    throw new Error('the attempt has lost its lease');
  };

  /** The transaction of an earlier attempt waits to be mined. It may need a higher fee by now. */
  async function hasten(claim: Claim): Promise<void> {
    if (facilitator.hasten === undefined || claim.transaction === undefined || claim.isLeased) return;
    const isReplaced = await facilitator.hasten(claim.transaction, noteFor(claim, undefined));
    if (isReplaced) logger.info({ claimId: claim.claimId }, 'a settlement was sent again with a higher fee');
  }

  async function send(before: Claim, payment: Payment, attemptId: string): Promise<Result> {
    // Something may be under way, or done by someone else, since the last attempt.
    const standing: Standing = isFirstAttempt(before) ? { kind: 'unused' } : await look(before);
    const known = proven(before, standing);
    if (known) return known;
    if (standing.kind === 'in_flight' || (standing.kind === 'unsure' && chain !== undefined))
      return { state: 'pending' };

    const word = await facilitator.settle(payment, noteFor(before, attemptId));
    const transaction = ('transaction' in word ? word.transaction : undefined) ?? before.transaction;
    const claim: Claim = { ...before, transaction };
    if (word.kind !== 'settled') return judge(claim, word, await look(claim));
    const waitMs = chain === undefined ? 0 : PROOF_MS;
    const isProof = (seen: Standing) => (seen.kind === 'settled' || seen.kind === 'void' ? seen : undefined);
    const proof = await pollFor(async () => isProof(await look(claim)), waitMs);
    return judge(claim, word, proof ?? { kind: 'unsure' });
  }

  return {
    async consult(claim) {
      const standing = await look(claim);
      const result = proven(claim, standing);
      if (standing.kind === 'in_flight') await hasten(claim);
      if (result === undefined) return { claim, standing };
      if (result.state === 'settled' && !(await isLasting(claim))) return { claim, standing: { kind: 'unsure' } };
      await claims.finish(claim, undefined, result);
      return { claim: (await claims.findById(claim.claimId)) ?? claim, standing };
    },

    async attempt(claim, payment) {
      const attemptId = uuidv7();
      const started = await claims.startSettling(claim, {
        attemptId,
        leaseMs: timeoutMs + LEASE_MARGIN_MS,
      });
      if (started.kind === 'busy' || started.kind === 'gone') return started.kind;
      if (started.kind === 'resolved') return resolvedOf(started.claim);
      step.publish('settle.before');
      let result: Result = { state: 'pending' };
      try {
        result = await send(started.before, payment, attemptId);
        if (result.state === 'settled' && !(await isLasting(started.before))) result = { state: 'pending' };
      } finally {
        await claims.finish(claim, attemptId, result);
      }
      step.publish('settle.after');
      logger.info({ claimId: claim.claimId, outcome: result.state }, 'settlement');
      // Another attempt may have written down more than this one knows.
      const after = await claims.findById(claim.claimId);
      if (after?.state === 'settled' || after?.state === 'failed') return resolvedOf(after);
      return { kind: result.state === 'unsent' ? 'unsent' : 'pending' };
    },
  };
}

const isFirstAttempt = ({ state }: Claim) => state === 'executing' || state === 'retained';

/** No transaction is on its way from an earlier attempt. */
const isUnsent = (claim: Claim) => isFirstAttempt(claim) || claim.state === 'unsent';

export function resolvedOf(claim: Claim): Settled {
  if ((claim.state !== 'settled' && claim.state !== 'failed') || claim.paymentResponseJson === undefined) {
    throw new Error(`claim ${claim.claimId} is not resolved`);
  }
  return { kind: claim.state, paymentResponseJson: claim.paymentResponseJson };
}
