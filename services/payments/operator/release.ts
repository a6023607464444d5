import { sql } from 'kysely';
import { recordAct } from '../../store/operator-acts.ts';
import type { PaymentClaim } from '../../store/payment-claims.ts';
import type { Claim } from '../claims/claims.ts';
import { provenResult } from '../settlement/result.ts';
import type { DeskContext } from './desk-context.ts';
import type { By } from './refund-records.ts';

export type ReleaseOutcome =
  /** Why the authorization can no longer be used: an x402 code. */
  | { readonly kind: 'released'; readonly reason: string }
  /** A sentence for the operator. */
  | { readonly kind: 'refused'; readonly reason: string };

const refuse = (reason: string): ReleaseOutcome => ({ kind: 'refused', reason });

/** Ends a claim without an outcome, if the final part of the chain proves that it can never be paid. */
export async function releaseClaim(context: DeskContext, claim: PaymentClaim, by: By): Promise<ReleaseOutcome> {
  const { claims, chain, network } = context;
  const isOpen = claim.state === 'open' || (claim.state === 'failed' && claim.isFinal !== true);
  if (!isOpen) return refuse(`the claim is ${claim.state}: there is nothing to release`);
  const current = await claims.findById(claim.claimId);
  if (current === undefined) return refuse('another claim of the same payment took its place');
  if (current.isLeased) return refuse('the payment is being executed or settled now: try again in a minute');
  const view = await chain.stateOf(current);
  switch (view.kind) {
    case 'settled':
      return refuse(`it was paid in transaction ${view.transaction}. The payments service will record that`);
    case 'in_flight':
      return refuse(`transaction ${current.transaction} waits to be mined`);
    case 'unused':
    case 'reverted':
      return refuse(
        `its authorization can still be used, until ${new Date(current.validBeforeS * 1000).toISOString()}`,
      );
    case 'void': {
      if (!view.isConfirmed)
        return refuse(`the chain has not confirmed that (${view.reason}): try again in some blocks`);
      const result = provenResult(network, current, view);
      if (result === undefined) throw new Error('an authorization without use has no result');
      await close(context, current, { ...by, why: view.reason, response: result.paymentResponseJson });
      return { kind: 'released', reason: view.reason };
    }
  }
}

async function close(
  { database, network }: DeskContext,
  { claimId, payer, amount }: Claim,
  { operator, reason, why, response }: By & { readonly why: string; readonly response: string },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('ledger.payment_claim')
      .set({
        state: 'failed',
        is_final: true,
        payment_response: response,
        due_at: null,
        released_at: sql<Date>`ledger.clock()`,
      })
      .where('claim_id', '=', claimId)
      .where(sql<boolean>`is_final IS NOT TRUE AND lease_until <= ledger.clock()`)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new Error(`claim ${claimId} has changed meanwhile`);
    await transaction.deleteFrom('payment_authorization').where('claim_id', '=', claimId).execute();
    const detail = { network, payer, amount: `${amount}`, why };
    await recordAct(transaction, { operator, reason, action: 'payments.release', subject: claimId, detail });
  });
}
