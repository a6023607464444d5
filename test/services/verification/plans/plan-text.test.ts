import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ORDER, REFUND } from '../../../../gateway/verified/catalogue-examples.ts';
import { PLAN_TEXT } from '../../../../gateway/verified/plan-text-examples.ts';
import type { Caller } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { CreatePlanAnswer, ExplainPlanAnswer } from '../../../../services/verification/contract/answers.ts';
import { requestOf } from '../../../../services/verification/contract/client.ts';
import { explainPlan } from '../../../../services/verification/operations/explain-plan.ts';
import { hashPlan } from '../../../../services/verification/records/record-hashes.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { createCatalogueSteps } from '../catalogue/catalogue-steps.ts';
import { transfer } from '../catalogue/tools.ts';
import { useVerificationProcess } from '../verification-process.ts';
import { invoices, toLines } from './payment-plan.ts';
import { createPlanSteps } from './plan-steps.ts';

const SETTINGS = { timeoutMs: HANG_MS };
const readCreated = createJsonReader(CreatePlanAnswer, 'the plan');
const readFaults = createJsonReader(
  Type.Array(
    Type.Object({ code: Type.String(), line: Type.Integer(), column: Type.Integer(), message: Type.String() }),
  ),
  'the faults',
);
const readExplained = createJsonReader(ExplainPlanAnswer, 'the view');

const verification = await useVerificationProcess();
const catalogue = createCatalogueSteps(verification.service);
const callers = await verification.addTenant('text');
for (const tool of [ORDER, REFUND, transfer()]) await catalogue.describe(callers.approver, tool);
test.after.always(() => verification.stop());

const send = (body: object) => {
  const request = { caller: callers.agent, arguments: JSON.stringify(body) };
  return verification.service.ask('createPlan', request, SETTINGS);
};
const create = async (body: object) => readCreated((await send(body)).answer);
/** The faults of a text that is refused. */
async function faultsOf(t: ExecutionContext, body: object) {
  const error = await t.throwsAsync(send(body), { instanceOf: CallError, code: 'MALFORMED_INPUT' });
  return readFaults(JSON.stringify(error.details));
}
const explain = async (plan_id: string) => {
  const request = { caller: callers.reader, params: { plan_id } };
  return readExplained((await verification.service.ask('explainPlan', request, SETTINGS)).answer);
};

test('a text is compiled with the catalogue, and the answer has the plan and its hash', async (t) => {
  const { plan, plan_hash, state } = await create({ plan_text: PLAN_TEXT });
  t.is(state, 'draft');
  t.true(Compile(PlanDocument).Check(plan));
  t.is(plan_hash, hashPlan(plan));
  t.like(await create({ plan }), { plan_hash });
});

const TEXT_WITH_TABLE = `plan: Pay the approved invoices
expires: 2099-12-31T00:00:00Z
recorded: 10
tables:
  approved: { file: approved.jsonl, key: invoice, columns: { invoice: string(64), payee: string(64), amount: decimal(2) } }
steps:
  pay:
    tool: bank.transfer@1
    times: 0..10
    where: args.invoice in approved && args.amount == approved[args.invoice].amount
rules:
  once: unique(pay, p, p.invoice)
`;

test('a text names tables by files, which the request names by the hashes of uploaded tables', async (t) => {
  const { sha256 } = await catalogue.upload(callers.agent, toLines(invoices(3)));
  const { plan, lint } = await create({ plan_text: TEXT_WITH_TABLE, tables: { 'approved.jsonl': sha256 } });
  t.like(plan, { tables: { approved: { sha256, rows: 3 } } });
  t.true(lint.some(({ code }) => code === 'ARGUMENT_FREE'));
  t.true(lint.some(({ code }) => code === 'NO_EVIDENCE'));
  await t.throwsAsync(send({ plan_text: TEXT_WITH_TABLE, tables: { 'approved.jsonl': 'ab'.repeat(32) } }), {
    code: 'UNKNOWN_TABLE',
  });
  t.like(await faultsOf(t, { plan_text: TEXT_WITH_TABLE }), [{ code: 'UNKNOWN_FILE', line: 5 }]);
});

test('a view names the changed rows of an uploaded table, compared with that of the plan before', async (t) => {
  const upload = async (count: number) => (await catalogue.upload(callers.agent, toLines(invoices(count)))).sha256;
  const [before, after] = [await upload(3), await upload(4)];
  const first = await create({ plan_text: TEXT_WITH_TABLE, tables: { 'approved.jsonl': before } });
  const text = `${TEXT_WITH_TABLE}supersedes: ${first.plan_id}\n`;
  const second = await create({ plan_text: text, tables: { 'approved.jsonl': after } });
  const { markdown } = await explain(second.plan_id);
  const differences = defined(markdown.split('## Differences from the plan before')[1]);
  t.regex(
    differences,
    /- in the table `approved`, 1 row differs:\n {2}- \*\*new\*\*: `amount` `10\.00`, `invoice` `A3`/,
  );
});

test('all faults of a text are answered, with their lines and columns, and nothing is stored', async (t) => {
  const text = PLAN_TEXT.replace('<= cap', '<= cup').replace('order.get@1', 'order.got@1').replace('1..2', '1...2');
  const faults = await faultsOf(t, { plan_text: text });
  const lines = new Set(faults.map(({ line }) => line));
  for (const line of [7, 10, 19]) t.true(lines.has(line), `${line} of ${[...lines]}`);
  for (const { column } of faults) t.true(column > 1);
});

test('a text that is too large, or no text of a plan, has faults', async (t) => {
  for (const text of ['', 'a', '- b', 'plan: &a [*a]', `plan: ${'a'.repeat(200_000)}\n`, '\0']) {
    await t.throwsAsync(send({ plan_text: text }), { instanceOf: CallError, message: /plan_text/ }, text.slice(0, 20));
  }
  await t.throwsAsync(send({ plan_text: PLAN_TEXT, plan: {} }), { code: 'MALFORMED_INPUT' });
});

test('a plan is shown in words, with the hash to approve, its tables and its warnings', async (t) => {
  const { sha256 } = await catalogue.upload(callers.agent, toLines(invoices(3)));
  const created = await create({ plan_text: TEXT_WITH_TABLE, tables: { 'approved.jsonl': sha256 } });
  const { markdown, plan_hash } = await explain(created.plan_id);
  t.is(plan_hash, created.plan_hash);
  for (const part of [plan_hash, sha256, 'Pay the approved invoices', 'ARGUMENT_FREE'])
    t.true(markdown.includes(part), part);
  t.is(markdown.split('ARGUMENT_FREE').length, 2, 'each warning once');
});

test('a view is made once, and is shown to its tenant alone', async (t) => {
  const { plan_id } = await create({ plan_text: PLAN_TEXT });
  const stranger = await verification.addTenant('stranger');
  let made = 0;
  const authoring = {
    async view() {
      made += 1;
      return { markdown: 'a view' };
    },
  };
  await verification.withDatabase('service', async (database) => {
    const context = {
      signal: AbortSignal.timeout(HANG_MS),
      deadlineMs: Infinity,
      requestId: '',
      authorization: undefined,
    };
    const view = (caller: Caller) =>
      explainPlan({ database, authoring } as never, requestOf({ caller, params: { plan_id } }), context);
    const first = await view(callers.reader);
    t.deepEqual(await view(callers.approver), first);
    await t.throwsAsync(view(stranger.reader), { code: 'NOT_FOUND' });
  });
  t.is(made, 1);
});

test('the view of a successor tells the difference', async (t) => {
  const steps = createPlanSteps(verification.service, callers.agent);
  const first = await create({ plan_text: PLAN_TEXT });
  await steps.approve(callers.approver, first);
  const text = `${PLAN_TEXT.replace('cap: 100.00', 'cap: 90.00')}supersedes: ${first.plan_id}\n`;
  const second = await create({ plan_text: text });
  const { markdown } = await explain(second.plan_id);
  t.true(markdown.includes('## Differences from the plan before'));
  t.true(defined(markdown.split('## Differences from the plan before')[1]).includes('90.00'));
  await t.throwsAsync(explain('01a1ff10-ab22-7009-9a2f-8dff3c2533c4'), { code: 'NOT_FOUND' });
});
