import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { inTenant } from '../../../services/verification/tenants/transaction.ts';
import { prepareWrite, WRITES } from './flow.ts';
import { useVerificationProcess } from './verification-process.ts';

const verification = await useVerificationProcess();
const mine = await verification.addTenant('mine');
const other = await verification.addTenant('other');
test.after.always(() => verification.stop());

for (const name of WRITES) {
  test.serial(`twenty equal concurrent requests of ${name} are applied once and get the same answer`, async (t) => {
    const write = await prepareWrite(verification.service, mine, name);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => write.send(key)));
    t.is(new Set(answers.map(({ answer }) => answer)).size, 1);
    t.is(answers.filter(({ replayed }) => !replayed).length, 1);
  });
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : `no code: ${error}`;

for (const [name, code] of [
  ['approve_plan', 'APPROVAL_NOT_ALLOWED'],
  ['evidence', 'EVIDENCE_REJECTED'],
  ['replay_verify', 'EXECUTION_CLOSED'],
  ['withdraw_approval', 'PLAN_CLOSED'],
] as const) {
  test.serial(`only one of ten concurrent requests of ${name} under different keys is applied`, async (t) => {
    const write = await prepareWrite(verification.service, mine, name);
    const sent = await Promise.allSettled(Array.from({ length: 10 }, () => write.send(randomUUID())));
    t.is(sent.filter(({ status }) => status === 'fulfilled').length, 1);
    const codes = new Set(sent.flatMap((each) => (each.status === 'rejected' ? [codeOf(each.reason)] : [])));
    t.deepEqual([...codes], [code]);
  });
}

test.serial(
  'one of ten concurrent executions of a plan that allows one passes, and the others are kept and refuted',
  async (t) => {
    const write = await prepareWrite(verification.service, mine, 'execute');
    const sent = await Promise.allSettled(Array.from({ length: 10 }, () => write.send(randomUUID())));
    // The checks admit one execution.
    const codes = sent.map((each) => (each.status === 'rejected' ? codeOf(each.reason) : 'recorded'));
    t.deepEqual(codes.toSorted(), [...Array.from({ length: 9 }, () => 'STEP_OUT_OF_ORDER'), 'recorded']);
  },
);

test.serial('every operation refuses a key that was used for another request', async (t) => {
  const key = randomUUID();
  await (await prepareWrite(verification.service, mine, 'create_plan')).send(key);
  for (const name of WRITES.slice(1)) {
    const write = await prepareWrite(verification.service, mine, name);
    t.is(codeOf(await t.throwsAsync(write.send(key))), 'IDEMPOTENCY_KEY_REUSED', name);
  }
  const elsewhere = await prepareWrite(verification.service, other, 'create_plan');
  t.false((await elsewhere.send(key)).replayed);
});

const TABLES = [
  'plan',
  'plan_approver',
  'approval',
  'plan_check',
  'execution',
  'action',
  'artifact',
  'verification',
  'proof',
  'plan_withdrawal',
  'plan_rejection',
  'settlement',
  'refusal',
];

/** A row in each table of plans that were rejected, and of acts that failed or went beyond what was approved. */
const fillOutcomes = () =>
  verification.withDatabase('service', (database) =>
    inTenant(database, mine.tenantId, async (transaction) => {
      await sql`INSERT INTO verification.plan_rejection (tenant_id, plan_id, rejected_by, reason)
        SELECT tenant_id, plan_id, created_by, 'No' FROM verification.plan LIMIT 1`.execute(transaction);
      await sql`INSERT INTO verification.reservation
          (tenant_id, reservation_id, plan_id, owner, run, intents_hash, counts, expires_at)
        SELECT tenant_id, gen_random_uuid(), plan_id, 'mine', '', '', '{}', 'infinity' FROM verification.plan LIMIT 1`.execute(
        transaction,
      );
      await sql`INSERT INTO verification.refusal (tenant_id, execution_id, plan_id, reasons)
        SELECT tenant_id, execution_id, plan_id, '[]' FROM verification.execution LIMIT 1`.execute(transaction);
      await sql`INSERT INTO verification.settlement
          (tenant_id, action_id, execution_id, seq, response, execution_hash, settled_by)
        SELECT tenant_id, action_id, execution_id, seq, '{}', execution_hash, created_by
        FROM verification.action JOIN verification.execution USING (tenant_id, execution_id) LIMIT 1`.execute(
        transaction,
      );
    }),
  );

test.serial('a query without a filter finds only rows of its tenant, in every table', async (t) => {
  await (await prepareWrite(verification.service, mine, 'withdraw_approval')).send(randomUUID());
  const tenantsIn = (tenantId: string | undefined, table: string) =>
    verification.withDatabase('service', async (database) => {
      const query = sql<{ tenant_id: string }>`SELECT DISTINCT tenant_id FROM ${sql.table(`verification.${table}`)}`;
      const { rows } = await (tenantId === undefined
        ? query.execute(database)
        : inTenant(database, tenantId, (transaction) => query.execute(transaction)));
      return rows.map(({ tenant_id }) => tenant_id);
    });
  await fillOutcomes();
  for (const table of [...TABLES, 'reservation']) {
    t.deepEqual(await tenantsIn(mine.tenantId, table), [mine.tenantId], table);
    t.deepEqual(await tenantsIn(undefined, table), [], table);
    const others = await tenantsIn(other.tenantId, table);
    t.true(
      others.every((tenantId) => tenantId === other.tenantId),
      table,
    );
  }
});

test.serial("the service's role cannot change or delete records, or write them for another tenant", async (t) => {
  const denied = (tenantId: string, statement: string): Promise<boolean> =>
    verification.withDatabase('service', (database) =>
      inTenant(database, tenantId, (transaction) => sql.raw(statement).execute(transaction)).then(
        ({ numAffectedRows }) => numAffectedRows === 0n,
        (error: unknown) => codeOf(error) === '42501',
      ),
    );
  for (const table of [...TABLES, 'tool', 'plan_table', 'limit_use']) {
    t.true(await denied(mine.tenantId, `DELETE FROM verification.${table}`), table);
    t.true(await denied(mine.tenantId, `UPDATE verification.${table} SET tenant_id = '${other.tenantId}'`), table);
    t.true(
      await denied(mine.tenantId, `INSERT INTO verification.${table} (tenant_id) VALUES ('${other.tenantId}')`),
      table,
    );
  }
  t.true(await denied(mine.tenantId, "UPDATE verification.reservation SET counts = '{}'"));
  t.true(await denied(mine.tenantId, `INSERT INTO verification.reservation (tenant_id) VALUES ('${other.tenantId}')`));
  t.true(await denied(mine.tenantId, 'DELETE FROM verification.operator_tool'));
  t.true(await denied(mine.tenantId, "UPDATE verification.tool SET document = '{}'"));
  t.true(await denied(mine.tenantId, 'UPDATE verification.limit_use SET begins_at = now()'));
  t.true(await denied(mine.tenantId, 'DELETE FROM verification.log_node'));
  t.true(await denied(mine.tenantId, "UPDATE verification.log_node SET hash = '\\x00'"));
  t.true(await denied(mine.tenantId, "UPDATE verification.plan SET document = '{}'"));
});
