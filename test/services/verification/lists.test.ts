import test from 'ava';
import { sql } from 'kysely';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { isRecord } from '../../../services/platform/is-record.ts';
import {
  ListExecutionsAnswer,
  ListPlansAnswer,
  ListProofsAnswer,
} from '../../../services/verification/contract/lists.ts';
import { inTenant } from '../../../services/verification/tenants/transaction.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { HANG_MS } from '../../kit/until.ts';
import { look } from '../../models/refund-run.ts';
import { answerReader, createSteps, LOOK_ONLY, type PlanRef } from './steps.ts';
import { useVerificationProcess } from './verification-process.ts';

const readPlans = answerReader(ListPlansAnswer);
const readExecutions = answerReader(ListExecutionsAnswer);
const readProofs = answerReader(ListProofsAnswer);

const verification = await useVerificationProcess();
const tenant = await verification.addTenant('lists');
const other = await verification.addTenant('others');
const steps = createSteps(verification.service, tenant);
const { service } = verification;

const request = (query: object, caller: typeof tenant.agent) => ({ caller, arguments: JSON.stringify(query) });
const settings = { timeoutMs: HANG_MS };
const LISTS = {
  plans: async (query: object = {}, caller = tenant.approver) => {
    const { plans, next_cursor } = await readPlans(service.ask('listPlans', request(query, caller), settings));
    return { rows: plans, ids: plans.map(({ plan_id }) => plan_id), next_cursor };
  },
  executions: async (query: object = {}, caller = tenant.approver) => {
    const { executions, next_cursor } = await readExecutions(
      service.ask('listExecutions', request(query, caller), settings),
    );
    return { rows: executions, ids: executions.map(({ execution_id }) => execution_id), next_cursor };
  },
  proofs: async (query: object = {}, caller = tenant.approver) => {
    const { proofs, next_cursor } = await readProofs(service.ask('listProofs', request(query, caller), settings));
    return { rows: proofs, ids: proofs.map(({ proof_id }) => proof_id), next_cursor };
  },
};
type Name = keyof typeof LISTS;

async function execute(plan: PlanRef) {
  const execution = await steps.run(plan, [look]);
  return execution.execution_id;
}

async function prove(plan: PlanRef) {
  const execution = await execute(plan);
  const { proof_id } = await steps.verify({ execution_id: execution });
  return { execution, proof: defined(proof_id ?? undefined) };
}

const draft = await steps.create({ ...LOOK_ONLY, title: 'The draft' });
const approved = await steps.approved({ ...LOOK_ONLY, title: 'The approved', max_executions: 2 });
const replaced = await steps.approved({ ...LOOK_ONLY, title: 'The replaced' });
const first = await prove(approved);
const open = await execute(approved);
const refused = await execute(approved);
const last = await prove(replaced);
const successor = await steps.approved({ ...LOOK_ONLY, title: 'The successor', supersedes: replaced.plan_id });
test.after.always(() => verification.stop());

test('plans are listed from the newest, by state too, for every role', async (t) => {
  const all = await LISTS.plans();
  t.deepEqual(
    all.rows.map(({ plan_id, state }) => [plan_id, state]),
    [
      [successor.plan_id, 'approved'],
      [replaced.plan_id, 'superseded'],
      [approved.plan_id, 'approved'],
      [draft.plan_id, 'draft'],
    ],
  );
  const { state, created_at, plan_hash } = await steps.read(draft);
  t.like(all.rows.at(-1), {
    title: 'The draft',
    state,
    created_at,
    plan_hash,
    approvals: { needed: 1, given: 0 },
  });
  t.like(all.rows[0], { approvals: { needed: 1, given: 1 } });
  t.deepEqual((await LISTS.plans({ state: 'draft' }, tenant.reader)).rows, all.rows.slice(3));
  t.deepEqual(await LISTS.plans({ state: 'draft' }, tenant.agent), await LISTS.plans({ state: 'draft' }));
});

test('executions are listed by state and by plan, and one that was refused is refuted', async (t) => {
  const all = await LISTS.executions();
  t.deepEqual(
    all.rows.map(({ execution_id, plan_id, state }) => [execution_id, plan_id, state]),
    [
      [last.execution, replaced.plan_id, 'verified'],
      [refused, approved.plan_id, 'refuted'],
      [open, approved.plan_id, 'recorded'],
      [first.execution, approved.plan_id, 'verified'],
    ],
  );
  const { received_at } = await steps.readExecution({ execution_id: open });
  const group = tenant.agent.keyGroup;
  t.like(all.rows[2], {
    title: 'The approved',
    received_at,
    owner: group === '' ? tenant.agent.keyId : group,
    actions: 1,
  });
  const of = async (query: object) => (await LISTS.executions(query, tenant.reader)).ids;
  t.deepEqual(await of({ state: 'verified' }), [last.execution, first.execution]);
  t.deepEqual(await of({ state: 'refuted' }), [refused]);
  t.deepEqual(await of({ state: 'recorded', plan_id: approved.plan_id }), [open]);
  t.deepEqual(await of({ plan_id: replaced.plan_id }), [last.execution]);
  t.deepEqual(await of({ plan_id: draft.plan_id }), []);
});

test('proofs are listed by plan, with the time and the place that their files say', async (t) => {
  const { rows, ids } = await LISTS.proofs();
  t.deepEqual(ids, [last.proof, first.proof]);
  const file: unknown = JSON.parse((await steps.download(first.execution, first.proof)).proof.toString());
  const { envelope, log } = isRecord(file) ? file : {};
  const statement: unknown = JSON.parse(Buffer.from(String(Object(envelope).payload), 'base64').toString());
  t.deepEqual(rows[1], {
    proof_id: first.proof,
    execution_id: first.execution,
    plan_id: approved.plan_id,
    title: 'The approved',
    verified_at: Object(statement).predicate.verified_at,
    log_index: Object(log).index,
  });
  t.deepEqual((await LISTS.proofs({ plan_id: approved.plan_id }, tenant.reader)).ids, [first.proof]);
});

for (const name of Object.keys(LISTS) as Name[]) {
  const list = LISTS[name];

  test(`pages of ${name} follow each other without a gap, and end`, async (t) => {
    const all = await list();
    t.is(all.next_cursor, null);
    const limit = all.rows.length - 1;
    const page = await list({ limit });
    t.deepEqual([page.rows, page.next_cursor], [all.rows.slice(0, -1), all.ids.at(-2) ?? null]);
    t.deepEqual(await list({ limit, cursor: page.next_cursor }), {
      rows: all.rows.slice(-1),
      ids: all.ids.slice(-1),
      next_cursor: null,
    });
    t.is((await list({ limit: limit + 1 })).next_cursor, null);
  });

  test(`${name} of one tenant are not in the list of another`, async (t) => {
    const [cursor] = (await list()).ids;
    const queries = [{}, { cursor }, ...(name === 'plans' ? [] : [{ plan_id: approved.plan_id }])];
    for (const query of queries)
      t.deepEqual(await list(query, other.approver), { rows: [], ids: [], next_cursor: null });
  });

  const malformed = [{ limit: 0 }, { limit: 101 }, { limit: '5' }, { state: 'open' }, { cursor: 'x' }, { more: 1 }];
  for (const query of [...malformed, { plan_id: 'x' }]) {
    test(`a list of ${name} by ${JSON.stringify(query)} is refused`, async (t) => {
      const error = await t.throwsAsync(list(query), { instanceOf: CallError });
      t.is(error?.code, 'MALFORMED_INPUT');
    });
  }
}

test('a page looks at a bounded number of rows, and the next one goes on where it ended', async (t) => {
  const many = await verification.addTenant('many');
  const oldest = await createSteps(service, many).create(LOOK_ONLY);
  await verification.withDatabase('service', (database) =>
    inTenant(database, many.tenantId, (transaction) =>
      sql`
      INSERT INTO verification.plan (tenant_id, plan_id, document, plan_hash, lint, expires_at, created_by,
        proposer_group)
      SELECT tenant_id, uuidv7(), document, plan_hash, lint, '2020-01-01', created_by, proposer_group
      FROM verification.plan, generate_series(1, 1000) WHERE plan_id = ${oldest.plan_id}`.execute(transaction),
    ),
  );
  const newest = await LISTS.plans({ state: 'draft' }, many.approver);
  t.deepEqual(newest.rows, []);
  const older = await LISTS.plans({ state: 'draft', cursor: newest.next_cursor }, many.approver);
  t.deepEqual([older.ids, older.next_cursor], [[oldest.plan_id], null]);
});
