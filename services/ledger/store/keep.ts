import type pg from 'pg';
import type { Keeping } from '../contract/outcomes.ts';
import { callFunction } from './ledger-pool.ts';
import { createAnswerCommit, formatCall, packed, type SealedAnswer } from './post.ts';
import { readOutcomes } from './read-outcomes.ts';

/** The answer that a claim will pay for, sealed. */
export interface ClaimedAnswer extends Omit<SealedAnswer, 'reservationId'> {
  readonly claimId: string;
  readonly operation: string;
  /** After how long the payments service asks what became of the claim. */
  readonly dueInMs: number;
}

const STATES = ['kept', 'superseded'] as const;

/**
 * Creates the function that stores the answer of a claim before it is settled, in one durable commit. `superseded`: the
 * claim was released or taken over, and nothing was stored.
 */
export function createKeep({ pool, network }: { readonly pool: pg.Pool; readonly network: string }) {
  return createAnswerCommit<ClaimedAnswer, Keeping>(async (answers) => {
    const rows = await callFunction(pool, 'keep', [
      network,
      JSON.stringify(answers.map(formatAnswer)),
      packed(answers),
    ]);
    return readOutcomes(rows, answers, STATES).map(({ state }) => state);
  });
}

const formatAnswer = ({ claimId, operation, dueInMs, ...answer }: ClaimedAnswer) => ({
  ...formatCall({ ...answer, reservationId: claimId }),
  operation,
  due_in_ms: dueInMs,
});
