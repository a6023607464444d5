import { createByteBound } from '../../platform/grpc/byte-bound.ts';
import { MAX_COMMIT_BYTES, MAX_WAITING_BYTES } from '../../platform/grpc/size-limits.ts';
import { callFunction } from './ledger-pool.ts';
import { readCredit, readOutcomes } from './read-outcomes.ts';
import { createSettledBatch } from './settled-batch.ts';
import type { TrialLedgerOptions } from './trial-options.ts';

/** The answer that a reservation is charged for, sealed. */
export interface SealedAnswer {
  /** UUIDv7. Also the id of the record of the bodies. */
  readonly reservationId: string;
  /** The X-Request-Id of the call, a UUIDv7. */
  readonly requestId: string | undefined;
  /** Id of the key that sealed the bodies. */
  readonly keyId: string;
  readonly request: Buffer;
  readonly response: Buffer;
}

const STATES = ['posted', 'unknown'] as const;

/** `unknown`: the id was voided, or never reserved, and nothing was stored. The balance is undefined, as for a channel. */
export interface PostOutcome {
  readonly state: (typeof STATES)[number];
  readonly balanceMicroUsd: bigint | undefined;
}

const MAX_ITEMS = 64;
/** While one batch waits for the disk, the server executes another. */
const LANES = 2;
/** A larger answer takes long, so the others do not wait for it. */
const LARGE_BYTES = 8 * 1024 * 1024;

export function createPost({ pool, network }: Pick<TrialLedgerOptions, 'pool' | 'network'>) {
  return createAnswerCommit<SealedAnswer, PostOutcome>(async (answers) => {
    const rows = await callFunction(pool, 'post', [network, JSON.stringify(answers.map(formatCall)), packed(answers)]);
    return readOutcomes(rows, answers, STATES).map(({ state, row }) => ({ state, balanceMicroUsd: readCredit(row) }));
  });
}

type Bodies = Pick<SealedAnswer, 'request' | 'response'>;

/** Commits answers in batches. @throws {ServiceError} RETENTION_UNAVAILABLE if too many bytes wait; nothing was sent */
export function createAnswerCommit<Answer extends Bodies, Outcome>(
  send: (answers: readonly Answer[]) => Promise<readonly Outcome[]>,
): (answer: Answer) => Promise<Outcome> {
  const sizeOf = ({ request, response }: Answer) => request.length + response.length;
  const bytes = { of: sizeOf, max: MAX_COMMIT_BYTES };
  const add = createSettledBatch({ send, maxItems: MAX_ITEMS, bytes, lanes: LANES });
  const addLarge = createSettledBatch({ send, maxItems: 1 });
  const hold = createByteBound(MAX_WAITING_BYTES);
  return (answer) => {
    const sizeBytes = sizeOf(answer);
    return hold(sizeBytes, () => (sizeBytes > LARGE_BYTES ? addLarge : add)(answer));
  };
}

/** The bodies of answers, as one parameter: an array of them would be sent as hexadecimal text. */
export const packed = (answers: readonly Bodies[]): Buffer =>
  Buffer.concat(answers.flatMap(({ request, response }) => [request, response]));

export const formatCall = ({ requestId, keyId, request, response, reservationId }: SealedAnswer) => ({
  id: reservationId,
  request_id: requestId ?? null,
  key_id: keyId,
  request_size: request.length,
  response_size: response.length,
});
