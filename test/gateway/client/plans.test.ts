import test from 'ava';
import { createClient, type VerifyStep } from '../../../gateway/client/client.ts';
import { createMemoryStore } from '../../../gateway/client/memory-store.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { describeRefund, doneNow, INTENTS, PLAN } from '../../e2e/verified/refund.ts';
import { useVerifiedStack } from '../../e2e/verified/verified-stack.ts';
import { createWallet } from '../../kit/chain.ts';

const stack = await useVerifiedStack();
const [origin] = stack.urls;
const tenant = await stack.addTenant('client');
test.before(() => describeRefund(tenant.approver));
test.after.always(() => stack.stop());

/** A client that loses each answer once, and keeps the idempotency keys that it sent. */
function openClient({
  isLossy = false,
  keys = tenant.keys as Partial<typeof tenant.keys>,
  store = createMemoryStore(),
} = {}) {
  const sent: string[] = [];
  const client = createClient({
    origin,
    signer: createWallet(),
    keys,
    store,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      const key = new Headers(init?.headers).get('idempotency-key');
      if (key === null) return answer;
      const isFirst = !sent.includes(key);
      sent.push(key);
      if (isLossy && isFirst) throw new TypeError('the connection broke');
      return answer;
    },
  });
  return { plans: client.plans, sent, store };
}

type Outcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly retry: { readonly how: string } };

/** Repeats a call while it may be repeated. */
async function settle<Result>(call: () => Promise<Outcome<Result>>): Promise<Result> {
  for (;;) {
    const outcome = await call();
    if (outcome.ok) return outcome.result;
    if (outcome.retry.how !== 'again') throw new Error(JSON.stringify(outcome));
  }
}

async function stepsOf(steps: AsyncIterable<VerifyStep>): Promise<VerifyStep> {
  let last: VerifyStep | undefined;
  for await (const step of steps) last = step;
  return defined(last);
}

for (const isLossy of [false, true]) {
  test(`a plan is proposed, approved, done, and proven${isLossy ? ', each answer lost once' : ''}`, async (t) => {
    const { plans, store } = openClient({ isLossy });
    const payment = isLossy ? 'client-lossy' : 'client';
    const { plan_id, plan_hash } = await settle(() => plans.propose({ plan: { ...PLAN, title: payment } }));
    const named = { plan_id, plan_hash };
    t.like(await settle(() => plans.approve(named)), { state: 'approved', approvals: { needed: 1 } });
    const asked = { ...named, done: [], action: defined(INTENTS[0]) };
    t.like(await settle(() => plans.preflight(asked)), { decision: 'allow', frozen: false });
    const run = { ...named, actions: doneNow(payment) };
    const { execution_id, actions } = await settle(() => plans.record(run));
    const bytes = new TextEncoder().encode(JSON.stringify({ amount: '80.00', id: payment }));
    const receipt = {
      action_id: defined(actions[1]).action_id,
      kind: 'receipt',
      media_type: 'application/json',
      bytes,
    };
    t.like(await settle(() => plans.attach(execution_id, [receipt])), { missing: [], unreadable: [] });
    let last = await stepsOf(plans.verify(execution_id));
    if (isLossy) {
      t.like(last, { ok: false, code: 'NO_ANSWER', retry: { how: 'again' } });
      last = await stepsOf(plans.verify(execution_id));
    }
    if (!last.ok || last.state !== 'succeeded') return t.fail(JSON.stringify(last));
    t.is(last.result.verdicts.replay.verdict, 'satisfied');
    const { proof_id } = last.result;
    t.like(await settle(() => plans.proof(String(proof_id))), { proof_id });
    t.deepEqual(await store.list(''), []);
  });
}

test('what does not pass its checks is not recorded, and a refusal has its code', async (t) => {
  const { plans, sent, store } = openClient();
  const { plan_id, plan_hash } = await settle(() => plans.propose({ plan: { ...PLAN, title: 'refused' } }));
  const named = { plan_id, plan_hash };
  const other = { ...named, plan_hash: '0'.repeat(64) };
  t.like(await plans.approve(other), {
    ok: false,
    code: 'PLAN_HASH_MISMATCH',
    charged: 'no',
    retry: { how: 'change' },
  });
  await settle(() => plans.approve(named));
  const [look] = doneNow('refused');
  t.like(await plans.record({ ...named, actions: [defined(look)] }), {
    ok: false,
    code: 'NOT_SATISFIED',
    charged: 'no',
  });
  t.like(await stepsOf(plans.verify(plan_id)), { ok: false, retry: { how: 'change' } });
  t.is(new Set(sent).size, sent.length);
  t.deepEqual(await store.list(''), []);
});

test('a call without the key of its role is not sent', async (t) => {
  const { plans, sent } = openClient({ keys: { reader: tenant.keys.reader } });
  await t.throwsAsync(plans.propose({ plan_text: '' }), { instanceOf: TypeError, message: 'this needs keys.agent' });
  await t.throwsAsync(stepsOf(plans.verify('x')), { instanceOf: TypeError });
  t.deepEqual(sent, []);
});

test('a write whose key cannot be kept is not sent, and one that cannot be forgotten has one effect', async (t) => {
  const memory = createMemoryStore();
  const fail = () => Promise.reject(new Error('read-only'));
  const plan = { plan: { ...PLAN, title: 'stores' } };
  const unkept = openClient({ store: { ...memory, set: fail } });
  t.like(await unkept.plans.propose(plan), { ok: false, code: 'STORE_FAILED', retry: { how: 'again' } });
  t.deepEqual(unkept.sent, []);
  const kept = openClient({ store: { ...memory, delete: fail } });
  for (let call = 1; call <= 2; call += 1)
    t.like(await kept.plans.propose(plan), { ok: false, code: 'STORE_FAILED', retry: { how: 'again' } });
  t.is(new Set(kept.sent).size, 1);
});
