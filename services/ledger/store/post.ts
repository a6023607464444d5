import type { Answer, ClaimedAnswer } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { createByteBound } from '../../platform/grpc/byte-bound.ts';
import { MAX_COMMIT_BYTES, MAX_WAITING_BYTES } from '../../platform/grpc/size-limits.ts';
import { KEEP_STATES, type Keeping, POST_STATES, type Posting } from '../contract/outcomes.ts';
import { itemCall, type LedgerPlace, readCredit } from './read-outcomes.ts';
import { createSettledBatch } from './settled-batch.ts';

/** The bodies of an answer, sealed. */
export interface SealedBodies {
  /** Id of the key that sealed them. */
  readonly keyId: string;
  readonly request: Buffer;
  readonly response: Buffer;
}

type Sealed<Item> = Omit<Item, 'requestBody' | 'responseBody'> & SealedBodies;
export type SealedAnswer = Sealed<Answer>;
export type SealedClaimedAnswer = Sealed<ClaimedAnswer>;

/** While one batch waits for the disk, the server executes another. */
const LANES = 2;
/** A larger answer takes long, so the others do not wait for it. */
const LARGE_BYTES = 8 * 1024 * 1024;

/** Charges an open reservation and stores its answer, in one durable commit. It throws as `createAnswerCommit` does. */
export function createPost(place: LedgerPlace): (answer: SealedAnswer) => Promise<Posting> {
  const call = itemCall(place, {
    name: 'post',
    states: POST_STATES,
    format: (answer: SealedAnswer) => formatCall(answer.reservationId, answer),
    parametersOf: withBodies,
  });
  return createAnswerCommit(async (answers) =>
    (await call(answers)).map(({ state, row }) => ({ state, balanceMicroUsd: readCredit(row) })),
  );
}

/** Stores the answer that a claim will pay for, in one durable commit. It throws as `createAnswerCommit` does. */
export function createKeep(place: LedgerPlace): (answer: SealedClaimedAnswer) => Promise<Keeping> {
  const call = itemCall(place, {
    name: 'keep',
    states: KEEP_STATES,
    format: ({ claimId, operation, dueInMs, ...answer }: SealedClaimedAnswer) => ({
      ...formatCall(claimId, answer),
      operation,
      due_in_ms: dueInMs,
    }),
    parametersOf: withBodies,
  });
  return createAnswerCommit(async (answers) => (await call(answers)).map(({ state }) => state));
}

/** Commits answers in batches. @throws {ServiceError} RETENTION_UNAVAILABLE if too many bytes wait; nothing was sent */
function createAnswerCommit<Item extends SealedBodies, Outcome>(
  send: (answers: readonly Item[]) => Promise<readonly Outcome[]>,
): (answer: Item) => Promise<Outcome> {
  const sizeOf = ({ request, response }: Item) => request.length + response.length;
  const bytes = { of: sizeOf, max: MAX_COMMIT_BYTES };
  const add = createSettledBatch({ send, bytes, lanes: LANES });
  const addLarge = createSettledBatch({ send, maxItems: 1 });
  const hold = createByteBound(MAX_WAITING_BYTES);
  return (answer) => {
    const sizeBytes = sizeOf(answer);
    return hold(sizeBytes, () => (sizeBytes > LARGE_BYTES ? addLarge : add)(answer));
  };
}

/** The bodies are one parameter: an array of them would be sent as hexadecimal text. */
const withBodies = (calls: string, answers: readonly SealedBodies[]) => [
  calls,
  Buffer.concat(answers.flatMap(({ request, response }) => [request, response])),
];

const formatCall = (id: string, answer: SealedBodies & Pick<Answer, 'requestId'>) => ({
  id,
  request_id: answer.requestId,
  key_id: answer.keyId,
  request_size: answer.request.length,
  response_size: answer.response.length,
});
