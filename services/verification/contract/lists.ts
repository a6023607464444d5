import { type Static, type TSchema, Type } from 'typebox';
import { Count, ExecutionState, Id, PlanState, Rejected, Timestamp } from './answers.ts';
import { Sha256, Uuid } from './arguments.ts';

/** Lists of records, from the newest, page by page. */

const closed = { additionalProperties: false } as const;

const MAX_ROWS = 100;

/** Arguments of every list: a query over HTTP. */
const PAGE = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: 50, description: 'Most records on a page' }),
  ),
  cursor: Type.Optional({
    ...Uuid,
    description: 'next_cursor of the previous page of the same list; absent for the first page',
  }),
};
const OfPlan = Type.Optional({ ...Uuid, description: 'Those of this plan alone' });

export const ListPlansArguments = Type.Object({ state: Type.Optional(PlanState), ...PAGE }, closed);
export const ListExecutionsArguments = Type.Object(
  { state: Type.Optional(ExecutionState), plan_id: OfPlan, ...PAGE },
  closed,
);
export const ListProofsArguments = Type.Object({ plan_id: OfPlan, ...PAGE }, closed);

const rowsOf = <Row extends TSchema>(row: Row) =>
  Type.Array(row, {
    maxItems: MAX_ROWS,
    description: 'Newest first. A page may have fewer records than the limit, or none, although more follow',
  });
const NextCursor = Type.Union([Uuid, Type.Null()], { description: 'Null on the last page' });

const ListedPlan = Type.Object(
  {
    plan_id: Uuid,
    title: Type.String(),
    state: PlanState,
    plan_hash: Sha256,
    created_at: Timestamp,
    expires_at: Timestamp,
    approvals: Type.Object({ needed: Type.Integer({ minimum: 1 }), given: Count }, closed),
    rejected: Type.Optional(Rejected),
  },
  closed,
);
export type ListedPlan = Static<typeof ListedPlan>;
export const ListPlansAnswer = Type.Object({ plans: rowsOf(ListedPlan), next_cursor: NextCursor }, closed);
export type ListPlansAnswer = Static<typeof ListPlansAnswer>;

const ListedExecution = Type.Object(
  {
    execution_id: Uuid,
    plan_id: Uuid,
    title: Type.String({ description: 'Of the plan' }),
    state: ExecutionState,
    received_at: Timestamp,
    owner: Type.Unsafe<string>({ ...Id, description: 'Group of the key that recorded it' }),
    actions: Type.Unsafe<number>({ ...Count, description: 'How many' }),
  },
  closed,
);
export type ListedExecution = Static<typeof ListedExecution>;
export const ListExecutionsAnswer = Type.Object(
  { executions: rowsOf(ListedExecution), next_cursor: NextCursor },
  closed,
);
export type ListExecutionsAnswer = Static<typeof ListExecutionsAnswer>;

const ListedProof = Type.Object(
  {
    proof_id: Uuid,
    execution_id: Uuid,
    plan_id: Uuid,
    title: Type.String({ description: 'Of the plan' }),
    verified_at: Timestamp,
    log_index: Type.Unsafe<number>({ ...Count, description: 'Of its leaf in the log' }),
  },
  closed,
);
export type ListedProof = Static<typeof ListedProof>;
export const ListProofsAnswer = Type.Object({ proofs: rowsOf(ListedProof), next_cursor: NextCursor }, closed);
export type ListProofsAnswer = Static<typeof ListProofsAnswer>;
