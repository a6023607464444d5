import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import type { ServingState } from '../../../../services/platform/grpc/grpc-health.ts';
import { until } from '../../../kit/until.ts';
import { prepareWrite, WRITES, type WriteName } from '../flow.ts';
import { startVerificationProcess } from '../verification-process.ts';

const verification = await startVerificationProcess();
const callers = await verification.addTenant('faults');
test.after.always(() => verification.stop());

test.serial('the service is not ready while PostgreSQL is unavailable', async (t) => {
  const becomes = (state: ServingState) => until(async () => (await verification.health.check(1000)) === state);
  t.true(await becomes('serving'));
  verification.kill('postgres');
  t.true(await becomes('not_serving'));
  await verification.revive('postgres');
  t.true(await becomes('serving'));
});

/** Counts the records of all kinds. */
const countRows = () =>
  verification.withDatabase('owner', async (database) => {
    const { rows } = await sql<{ rows: bigint }>`
      SELECT (SELECT count(*) FROM verification.plan) + (SELECT count(*) FROM verification.approval)
        + (SELECT count(*) FROM verification.plan_check) + (SELECT count(*) FROM verification.execution)
        + (SELECT count(*) FROM verification.action) + (SELECT count(*) FROM verification.artifact)
        + (SELECT count(*) FROM verification.verification) + (SELECT count(*) FROM verification.proof)
        + (SELECT count(*) FROM verification.plan_withdrawal)
        + (SELECT count(*) FROM verification.log_node WHERE level = 0) AS rows`.execute(database);
    return Number(rows[0]?.rows);
  });

/** Number of records that each write adds. */
const ADDS: Readonly<Record<WriteName, number>> = {
  create_plan: 1,
  approve_plan: 1,
  plan_alignment: 1,
  constraints: 1,
  execute: 5,
  evidence: 2,
  replay_verify: 3,
  withdraw_approval: 1,
};

/** PostgreSQL is killed at every write. Killing the service is the same for all writes, so a few of them suffice. */
const CASES: readonly (readonly ['service' | 'postgres', string, readonly WriteName[]])[] = [
  ['service', 'mutation.applied', ['create_plan', 'execute', 'replay_verify']],
  ['service', 'mutation.committed', ['approve_plan', 'evidence', 'replay_verify']],
  ['postgres', 'mutation.applied', WRITES],
  ['postgres', 'mutation.committed', WRITES],
];

for (const [victim, step, names] of CASES) {
  for (const name of names) {
    test.serial(`${name} is done once when ${victim} is killed at ${step}`, async (t) => {
      const write = await prepareWrite(verification.service, callers, name);
      const before = await countRows();
      const key = randomUUID();
      verification.arm(step, victim);
      const sent = await write.send(key).then(
        (answer) => answer,
        (error: unknown) => error as Error,
      );
      // PostgreSQL committed before it was killed, so the service answers.
      const isAnswered = victim === 'postgres' && step === 'mutation.committed';
      await verification.revive(victim);
      t.is(sent instanceof Error, !isAnswered, String(sent));
      if (step === 'mutation.applied') t.is(await countRows(), before);
      const retried = await until(() => write.send(key));
      t.is(retried.replayed, step === 'mutation.committed');
      t.is(await countRows(), before + ADDS[name]);
      const again = await write.send(key);
      t.is(again.answer, retried.answer);
      t.true(again.replayed);
      t.is(await countRows(), before + ADDS[name]);
      if (!(sent instanceof Error)) t.is(sent.answer, retried.answer);
    });
  }
}
