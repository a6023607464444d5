import test from 'ava';
import { sql } from 'kysely';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { ListPlansAnswer } from '../../../../services/verification/contract/answers.ts';
import { inTenant } from '../../../../services/verification/tenants/transaction.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { answerReader, createSteps, LOOK_ONLY } from '../steps.ts';
import { useVerificationProcess } from '../verification-process.ts';

const readPlans = answerReader(ListPlansAnswer);

const verification = await useVerificationProcess();
const tenant = await verification.addTenant('plans');
const other = await verification.addTenant('others');
const steps = createSteps(verification.service, tenant);

const list = (query: object = {}, caller = tenant.approver) =>
  readPlans(
    verification.service.call(
      (client) => client.listPlans,
      { caller, arguments: JSON.stringify(query) },
      { timeoutMs: HANG_MS },
    ),
  );

const draft = await steps.create({ ...LOOK_ONLY, title: 'The draft' });
const approved = await steps.approved({ ...LOOK_ONLY, title: 'The approved' });
const replaced = await steps.approved({ ...LOOK_ONLY, title: 'The replaced' });
const successor = await steps.approved({ ...LOOK_ONLY, title: 'The successor', supersedes: replaced.plan_id });
test.after.always(() => verification.stop());

test('plans are listed from the newest, by state too, for every role and for their tenant alone', async (t) => {
  const all = await list();
  t.deepEqual(
    all.plans.map(({ plan_id, state }) => [plan_id, state]),
    [
      [successor.plan_id, 'approved'],
      [replaced.plan_id, 'superseded'],
      [approved.plan_id, 'approved'],
      [draft.plan_id, 'draft'],
    ],
  );
  const { state, created_at, plan_hash } = await steps.read(draft);
  t.like(all.plans.at(-1), {
    title: 'The draft',
    state,
    created_at,
    plan_hash,
    approvals: { needed: 1, given: 0 },
  });
  t.like(all.plans[0], { approvals: { needed: 1, given: 1 } });
  t.deepEqual(await list({ state: 'draft' }, tenant.reader), { plans: all.plans.slice(3), next_cursor: null });
  t.deepEqual(await list({ state: 'draft' }, tenant.agent), await list({ state: 'draft' }));
  const foreign = { cursor: successor.plan_id };
  for (const query of [{}, foreign]) t.deepEqual(await list(query, other.approver), { plans: [], next_cursor: null });
});

test('pages follow each other without a gap, and end', async (t) => {
  const all = (await list()).plans;
  const first = await list({ limit: 3 });
  t.deepEqual([first.plans, first.next_cursor], [all.slice(0, 3), all[2]?.plan_id]);
  t.deepEqual(await list({ limit: 3, cursor: first.next_cursor }), { plans: all.slice(3), next_cursor: null });
  t.is((await list({ limit: 4 })).next_cursor, null);
});

for (const query of [{ limit: 0 }, { limit: 101 }, { limit: '5' }, { state: 'open' }, { cursor: 'x' }, { more: 1 }]) {
  test(`a list of ${JSON.stringify(query)} is refused`, async (t) => {
    const error = await t.throwsAsync(list(query), { instanceOf: CallError });
    t.is(error?.code, 'MALFORMED_INPUT');
  });
}

test('a page looks at a bounded number of plans, and the next one goes on where it ended', async (t) => {
  const many = await verification.addTenant('many');
  const oldest = await createSteps(verification.service, many).create(LOOK_ONLY);
  await verification.withDatabase('service', (database) =>
    inTenant(database, many.tenantId, (transaction) =>
      sql`
      INSERT INTO verification.plan (tenant_id, plan_id, document, plan_hash, lint, expires_at, created_by)
      SELECT tenant_id, uuidv7(), document, plan_hash, lint, '2020-01-01', created_by
      FROM verification.plan, generate_series(1, 1000) WHERE plan_id = ${oldest.plan_id}`.execute(transaction),
    ),
  );
  const first = await list({ state: 'draft' }, many.approver);
  t.deepEqual(first.plans, []);
  const second = await list({ state: 'draft', cursor: first.next_cursor }, many.approver);
  t.deepEqual([second.plans.map(({ plan_id }) => plan_id), second.next_cursor], [[oldest.plan_id], null]);
});
