import { channel } from 'node:diagnostics_channel';
import { v7 as uuidv7 } from 'uuid';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { pollFor } from '../chain/rpc.ts';
import type { Claim, Result, SealedAuthorization } from '../claims/claims.ts';
import type { Payment } from '../payment/payment.ts';
import { type ChainView, isFirstAttempt, provenResult, resultOf } from './result.ts';
import type { SettlingContext } from './settling-context.ts';

const step = channel('tollhouse:step');

/** Longest wait for a node to show a transaction that a facilitator names. */
const PROOF_MS = 5000;
/** How far the clock of the chain may be behind ours. Longer than an attempt to settle takes. */
const LAPSE_MARGIN_MS = 600_000;
/** Added to the facilitator's time: for the proof, and for storing the result. */
const LEASE_MARGIN_MS = PROOF_MS + 3000;

export type Settled =
  | { readonly kind: 'settled' | 'failed'; readonly paymentResponseJson: string }
  | { readonly kind: 'pending' | 'unsent' };

export type Settlement = ReturnType<typeof createSettlement>;

export function createSettlement(context: SettlingContext) {
  const { network, claims, facilitator, settleTimeoutMs, logger, onSettled } = context;
  const viewOf = createView(context);
  const send = createSend(context, viewOf);
  const open = createOpen(context);
  return {
    /** Asks the chain, if one is known, and stores what is proven. `claim` is the claim afterwards. */
    async consult(claim: Claim): Promise<{ readonly claim: Claim; readonly view: ChainView }> {
      const view = hasLapsed(context, claim) ? LAPSED : await viewOf(claim);
      const result = provenResult(network, claim, view);
      if (result === undefined) return { claim, view };
      await facilitator.noteEnded?.(claim, result.state);
      await claims.finish(claim, undefined, result);
      // A claim that was released meanwhile is answered as it was.
      return { claim: (await claims.findById(claim.claimId)) ?? claim, view };
    },

    /**
     * Makes one attempt. `busy`: another attempt has the lease. `gone`: the claim was released or taken over. Safe in
     * parallel, also over several copies.
     */
    async attempt(claimId: string): Promise<Settled | 'busy' | 'gone'> {
      const attemptId = uuidv7();
      const started = await claims.startSettling(
        { claimId },
        { attemptId, leaseMs: settleTimeoutMs + LEASE_MARGIN_MS },
      );
      if (started.kind === 'busy' || started.kind === 'gone') return started.kind;
      if (started.kind === 'resolved') return resolvedOf(started.claim);
      step.publish('settle.before');
      const { before, authorization } = started;
      let result: Result = { state: 'pending' };
      let isStored = false;
      try {
        result = await send(before, open(before, authorization), attemptId);
      } finally {
        isStored = await claims.finish(before, attemptId, result);
      }
      step.publish('settle.after');
      if (result.state === 'settled') onSettled?.();
      logger.info({ claimId, outcome: result.state }, 'settlement');
      if (isStored && 'paymentResponseJson' in result) {
        return { kind: result.state, paymentResponseJson: result.paymentResponseJson };
      }
      // Another attempt may have stored more than this one knows.
      const after = await claims.findById(claimId);
      if (after?.state === 'settled' || after?.state === 'failed') return resolvedOf(after);
      return { kind: result.state === 'unsent' ? 'unsent' : 'pending' };
    },
  };
}

/** Nothing can be sent without an authorization. A caller that presents the payment again stores it again. */
function createOpen({ authorizations, logger }: SettlingContext) {
  const logError = createRepeatedErrorLog({ logger, message: 'a payment cannot be settled until it is sent again' });
  return (claim: Claim, authorization: SealedAuthorization | undefined): Payment | undefined => {
    try {
      if (authorization === undefined) throw new Error('no authorization is stored');
      const payment = authorizations.open(claim, authorization);
      if (payment.digest !== claim.digest) throw new Error('the authorization is not that of the claim');
      return payment;
    } catch (error) {
      logError(error, { fields: { claimId: claim.claimId } });
      return undefined;
    }
  };
}

const LAPSED = {
  kind: 'void',
  reason: 'invalid_exact_evm_payload_authorization_valid_before',
  isConfirmed: true,
} as const satisfies ChainView;

/** Whether nothing was sent, and it is too late to send it. With a chain, only the chain proves that. */
const hasLapsed = ({ chain, now }: SettlingContext, { state, validBeforeS }: Claim): boolean =>
  chain === undefined && (state === 'retained' || state === 'unsent') && now() > validBeforeS * 1000 + LAPSE_MARGIN_MS;

type View = (claim: Claim) => Promise<ChainView>;

function createView({ chain, logger }: SettlingContext): View {
  const logError = createRepeatedErrorLog({ logger, message: 'the chain did not answer' });
  return async (claim) => {
    if (chain === undefined) return { kind: 'unsure' };
    try {
      return await chain.stateOf(claim);
    } catch (error) {
      logError(error, { fields: { claimId: claim.claimId } });
      return { kind: 'unsure' };
    }
  };
}

function createSend({ network, claims, facilitator, chain }: SettlingContext, viewOf: View) {
  const hasChain = chain !== undefined;

  /** What the chain shows after the facilitator reported a settlement. */
  async function awaitProof(claim: Claim): Promise<ChainView> {
    const isProof = (seen: ChainView) => (seen.kind === 'settled' || seen.kind === 'void' ? seen : undefined);
    const proof = await pollFor(async () => isProof(await viewOf(claim)), hasChain ? PROOF_MS : 0);
    return proof ?? { kind: 'unsure' };
  }

  return async (before: Claim, payment: Payment | undefined, attemptId: string): Promise<Result> => {
    // Since an earlier attempt, its transaction may be on its way, or another one may have settled the payment.
    const seen: ChainView = isFirstAttempt(before) ? { kind: 'unused' } : await viewOf(before);
    const known = provenResult(network, before, seen);
    if (known) await facilitator.noteEnded?.(before, known.state);
    if (known) return known;
    if (seen.kind === 'in_flight' || (seen.kind === 'unsure' && hasChain)) return { state: 'pending' };
    if (seen.kind === 'reverted' || payment === undefined)
      return resultOf(network, before, { report: { kind: 'unsent' }, view: seen, hasChain });

    const report = await facilitator.settle(payment, async (transaction, signed) => {
      if (await claims.noteTransaction(before, attemptId, transaction, signed)) return;
      throw new Error('the attempt has lost its lease');
    });
    const reported = 'transaction' in report ? report.transaction : undefined;
    const claim: Claim = { ...before, transaction: reported ?? before.transaction };
    const view = report.kind === 'settled' ? (report.proof ?? (await awaitProof(claim))) : await viewOf(claim);
    const proven = provenResult(network, claim, view);
    if (proven && report.kind !== 'settled') await facilitator.noteEnded?.(claim, proven.state);
    return resultOf(network, claim, { report, view, hasChain });
  };
}

/** @throws {Error} for a claim that is not resolved */
export function resolvedOf({ claimId, state, paymentResponseJson }: Claim): Settled {
  if ((state !== 'settled' && state !== 'failed') || paymentResponseJson === undefined) {
    throw new Error(`claim ${claimId} is not resolved`);
  }
  return { kind: state, paymentResponseJson };
}
