import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { findToolList } from '../catalogue/tool-records.ts';
import { VerifyExecutionArguments } from '../contract/arguments.ts';
import { ReserveArguments } from '../contract/reservations.ts';
import { grantAct } from '../limits/count-acts.ts';
import { limitsOfActions } from '../limits/limits-of-actions.ts';
import { countHeld, findReservations, sweepReservations } from '../limits/reservations.ts';
import { describedTools, findParts, findPlan, lockPlan, type PlanRecord, readClock } from '../records/plan-records.ts';
import { readActs } from '../records/read-acts.ts';
import { hashIntents } from '../records/record-hashes.ts';
import { readPlanDocument } from '../records/stored-documents.ts';
import type { Caller } from '../tenants/keys.ts';
import { createArgumentsReader, malformed, notFound, readId } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { findSamePlan } from './check-actions.ts';
import { defineWrite } from './define.ts';
import { notApproved } from './record-execution.ts';

/** Most open reservations of a group under a plan. */
const MAX_RESERVATIONS = 100;

const readNothing = createArgumentsReader(VerifyExecutionArguments);

const readArguments = createArgumentsReader(ReserveArguments);

/**
 * Reserves what one act would count, for as long as its plan says. Whether the rules of the plan allow the act is not decided.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, NOT_FOUND, PLAN_HASH_MISMATCH, NOT_RESERVABLE, PLAN_NOT_APPROVED, LIMIT_EXCEEDED,
 *   EXECUTIONS_EXHAUSTED, TOO_MANY_RESERVATIONS, MALFORMED_INPUT, REVENUE_WRITES_FROZEN
 */
export const reserveAction = defineWrite({
  operation: 'reserve_action',
  role: 'agent',
  idempotencyKey: 'required',
  readInput: readArguments,
  async prepare({ caller, input, options, inTenant }, deps) {
    const found = await inTenant(async (transaction) => {
      const record = await findSamePlan(transaction, input);
      const [parts, list] = [await findParts(transaction, record), await findToolList(transaction, deps.toolList)];
      return { record, parts, list, now: await readClock(transaction) };
    });
    const plan = readPlanDocument(found.record);
    const { reserve } = plan;
    if (reserve === undefined) throw new ServiceError('NOT_RESERVABLE', 'the plan does not say reserve');
    const { step_id, tool, tool_version } = input.action;
    const step = plan.steps.find((each) => each.step_id === step_id);
    if (step?.tool !== `${tool}@${tool_version}`) {
      throw malformed('/action/step_id', 'is not a step of the plan with this tool');
    }
    const act = { ...input.action, outcome: 'unknown', started_at: found.now, ended_at: found.now } as const;
    const [read] = await readActs(deps, { ...found, actions: [act] }, options);
    const { fault, isRevenueWrite } = defined(read);
    if (fault !== undefined) throw malformed(fault.path.replace('/actions/0', '/action'), fault.message);
    return { isRevenueWrite, apply: (transaction) => insert(transaction, { caller, input, plan, seconds: reserve }) };
  },
});

interface NewReservation {
  readonly caller: Caller;
  readonly input: ReserveArguments;
  readonly plan: PlanDocument;
  readonly seconds: number;
}

async function insert(transaction: TenantTransaction, reservation: NewReservation): Promise<unknown> {
  const { caller, input, seconds } = reservation;
  const { plan_id: planId, action, run = '' } = input;
  await lockPlan(transaction, planId);
  const record = await findPlan(transaction, planId);
  if (record?.state !== 'approved') throw notApproved(record);
  await assertRoom(transaction, record, reservation);
  const [act] = await limitsOfActions(transaction, {
    actions: [action],
    described: describedTools(record),
    pathOf: () => '/action',
  });
  const window = { tenantId: caller.tenantId, at: await readClock(transaction) };
  const { limits, refusal, grants } = await grantAct(transaction, defined(act), window);
  if (refusal !== undefined) throw new ServiceError('LIMIT_EXCEEDED', refusal);
  const reservationId = uuidv7();
  const { expires_at } = await transaction
    .insertInto('verification.reservation')
    .values({
      ...{ tenant_id: caller.tenantId, reservation_id: reservationId, plan_id: planId, owner: caller.group, run },
      intents_hash: hashIntents([action]),
      counts: canonicalText(grants),
      expires_at: sql<Date>`clock_timestamp() + ${seconds} * interval '1 second'`,
    })
    .returning(sql<string>`verification.to_text(expires_at)`.as('expires_at'))
    .executeTakeFirstOrThrow();
  await sweepReservations(transaction);
  return { reservation_id: reservationId, expires_at, limits: [...limits] };
}

/** @throws {ServiceError} TOO_MANY_RESERVATIONS, EXECUTIONS_EXHAUSTED */
async function assertRoom(
  transaction: TenantTransaction,
  { executions }: PlanRecord,
  { caller, input: { plan_id: planId, run = '' }, plan }: NewReservation,
): Promise<void> {
  const own = { planId, owner: caller.group };
  const open = await findReservations(transaction, own);
  if (open.length >= MAX_RESERVATIONS) {
    const message = `the keys of this group have ${MAX_RESERVATIONS} open reservations under the plan`;
    throw new ServiceError('TOO_MANY_RESERVATIONS', message);
  }
  if (open.some((each) => each.run === run && each.holds_execution)) return;
  if (executions + (await countHeld(transaction, { ...own, run })) < plan.max_executions) return;
  const message = `the plan allows ${plan.max_executions} executions, and has had or reserved them`;
  throw new ServiceError('EXECUTIONS_EXHAUSTED', message);
}

/**
 * Gives a reservation back. One that was used, released or has expired is not found, nor is that of another group.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, NOT_FOUND
 */
export const releaseReservation = defineWrite({
  operation: 'release_reservation',
  role: 'agent',
  idempotencyKey: 'required',
  readInput(request) {
    readNothing(request);
    return { reservation_id: readId(request, 'reservation_id') };
  },
  prepare: async ({ caller, input }) => ({
    apply: async (transaction) => {
      const released = await transaction
        .deleteFrom('verification.reservation')
        .where('reservation_id', '=', input.reservation_id)
        .where('owner', '=', caller.group)
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .returning('reservation_id')
        .executeTakeFirst();
      if (released === undefined) throw notFound('open reservation');
      return released;
    },
  }),
});
