import test from 'ava';
import { sql } from 'kysely';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { CheckAnswer, VerifyExecutionAnswer } from '../../../services/verification/contract/answers.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { type Answer, codeOf, errorOf, headerOf, rawRequest } from '../../kit/client.ts';
import { changed } from '../../kit/set-at.ts';
import { doneNow, INTENTS, type Refund, receiptOf, recordRefund } from './refund.ts';
import { useVerifiedStack } from './verified-stack.ts';

// Most refusals are tested in test/gateway/verified/bad-input.test.ts, and one for each endpoint in access.test.ts. Here is what
// depends on a recorded execution.

const stack = await useVerifiedStack();
const tenant = await stack.addTenant('hostile');
/** A recorded refund without evidence. */
const refund = await recordRefund(tenant, 'hostile');
const TABLES = [
  'plan',
  'plan_check',
  'execution',
  'action',
  'artifact',
  'proof',
  'guarded_mutation',
  'sheet',
  'tool',
] as const;

/** The number of the tenant's rows in each table. */
async function readCounts(): Promise<object> {
  const counts = TABLES.map(async (table) => {
    const rows = sql<{ count: string }>`
      SELECT count(*) FROM ${sql.table(`verification.${table}`)} WHERE tenant_id = ${tenant.tenantId}`;
    return [table, defined((await rows.execute(stack.owner)).rows[0]).count];
  });
  return Object.fromEntries(await Promise.all(counts));
}

const countsBefore = await readCounts();
test.after.always(() => stack.stop());

let keys = 0;
const keyOf = (path: string) => (/\/(approve|withdraw|tools)$/.test(path) ? tenant.keys.approver : tenant.keys.agent);

function send(path: string, body: object, idempotencyKey = `hostile-${++keys}`): Promise<Answer> {
  const known = path.replace('{plan_id}', refund.planId).replace('{execution_id}', refund.executionId);
  return rawRequest(stack.urls[0] + known, {
    headers: {
      authorization: `Bearer ${keyOf(path)}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body),
  });
}

type Refusal = readonly [status: number, code: string];
const REJECTED: Refusal = [422, 'EVIDENCE_REJECTED'];
const MALFORMED: Refusal = [422, 'MALFORMED_INPUT'];

/** Declares a test of one refusal. The tests are serial, because the last of them counts stored rows. */
function refused(title: string, [status, code]: Refusal, ask: () => Promise<Answer>): void {
  test.serial(`${title}: ${status} ${code}`, async (t) => {
    const answer = await ask();
    t.deepEqual({ status: answer.status, code: codeOf(answer) }, { status, code }, answer.text);
    t.is(headerOf(answer, 'x-request-id'), errorOf(answer).requestId);
  });
}

for (const [title, changes] of [
  ['a response that lacks a field', { '/1/response': { id: 'r' } }],
  ['a response that is null', { '/1/response': null }],
  ['a time without microseconds', { '/1/started_at': '2026-11-21T12:00:00Z' }],
  ['a time of another zone', { '/1/started_at': '2026-11-21T12:00:00.000000+01:00' }],
  ['the hour 99', { '/1/started_at': '2026-11-21T99:00:00.000000Z' }],
  ['31 June', { '/1/ended_at': '2026-06-31T12:00:00.000000Z' }],
] as const) {
  refused(`an execution with ${title}`, MALFORMED, () => {
    const named = { plan_id: refund.planId, plan_hash: refund.planHash, ...refund.checks };
    return send('/api/v1/executions', { ...named, actions: changed(doneNow('bad'), changes) });
  });
}

// Evidence

type Artifact = ReturnType<typeof receiptOf>;

const submit = (artifacts: readonly object[]) => send('/api/v1/executions/{execution_id}/evidence', { artifacts });
/** The SHA-256 of the bytes `ab`. */
const AB = 'fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603';
const ARTIFACTS: readonly (readonly [string, (receipt: Artifact) => Partial<Artifact>])[] = [
  ['the hash of other bytes', () => ({ sha256: '0'.repeat(64) })],
  ['base64 without padding', () => ({ bytes_base64: 'YWI', sha256: AB })],
  ['base64 whose unused bits are set', () => ({ bytes_base64: 'YWJ=', sha256: AB })],
  ['base64 with white space', ({ bytes_base64 }) => ({ bytes_base64: `${bytes_base64}\n` })],
  ['base64url', ({ bytes_base64 }) => ({ bytes_base64: bytes_base64.replace('e', '-') })],
  ['text that is not base64', () => ({ bytes_base64: '{}' })],
  ['another media type', () => ({ media_type: 'text/html' })],
  ['a media type with a parameter', () => ({ media_type: 'application/json; charset=utf-8' })],
  ['an unknown kind', () => ({ kind: 'photo' })],
  ['an action that does not exist', () => ({ action_id: refund.planId })],
  ['an action whose step needs no evidence', () => ({ action_id: defined(refund.actionIds[0]) })],
];
for (const [title, changesOf] of ARTIFACTS) {
  refused(`evidence with ${title}`, REJECTED, () => {
    const receipt = receiptOf(refund);
    return submit([{ ...receipt, ...changesOf(receipt) }]);
  });
}
refused('evidence that is too large for its step', REJECTED, () =>
  submit([receiptOf(refund, Buffer.alloc(65_537, 'a'))]),
);
refused('evidence over 2 MiB', REJECTED, () => submit([receiptOf(refund, Buffer.alloc(2 * 1024 * 1024 + 1))]));
refused('more evidence than its step allows', REJECTED, () =>
  submit([receiptOf(refund), receiptOf(refund, Buffer.from('{"again":1}'))]),
);

// State after all refusals

test.serial('stores nothing of refused requests', async (t) => {
  t.deepEqual(await readCounts(), countsBefore);
});

const readCheck = createReader(CheckAnswer, 'the check');
const readVerification = createReader(VerifyExecutionAnswer, 'the verification');

for (const kind of ['plan-alignment', 'constraints']) {
  test.serial(`a check of ${kind} is invalid_input for a missing or mistyped argument, and names it`, async (t) => {
    for (const changes of [{ '/1/args': { order_id: 'A1' } }, { '/1/args/note': 'x' }, { '/1/args/amount': 80 }]) {
      const named = { plan_id: refund.planId, plan_hash: refund.planHash, mode: 'complete' };
      const { status, json } = await send(`/api/v1/verify/${kind}`, { ...named, actions: changed(INTENTS, changes) });
      const { result } = readCheck(json);
      t.deepEqual([status, result.verdict], [200, 'invalid_input'], JSON.stringify(changes));
      t.regex(defined(defined(result.reasons[0]).path), /^\/actions\/1\/args/, JSON.stringify(changes));
    }
  });
}

/** Submits an artifact with this content, or a correct receipt, and verifies the execution. */
async function verifyWith(
  recorded: Refund,
  content?: Buffer,
): Promise<VerifyExecutionAnswer & { unreadable: unknown }> {
  const execution = `/api/v1/executions/${recorded.executionId}`;
  const evidence = { artifacts: [receiptOf(recorded, content)] };
  const { unreadable } = await tenant.agent.post<{ unreadable: unknown }>(`${execution}/evidence`, evidence);
  return { ...readVerification(await tenant.agent.post(`${execution}/verify`, {})), unreadable };
}

test.serial('the execution that the bad requests targeted can still be proven', async (t) => {
  const { state, proof_id } = await verifyWith(refund);
  t.is(state, 'verified');
  t.not(proof_id, null);
});

for (const [title, content, fault] of [
  ['not JSON', '%PDF-1.7', 'the artifact is not JSON'],
  [
    'JSON with a byte order mark',
    '\uFEFF{"amount":"80.00"}',
    'the artifact begins with a byte order mark: leave it out',
  ],
  [
    'JSON with a repeated member',
    '{"amount":"80.00","id":"x","id":"x"}',
    'the artifact is not JSON with one meaning at /id: a member name is repeated',
  ],
  ['JSON without a field that is read', '{"amount":"80.00"}', 'id at /id is missing'],
  ['a receipt of another amount', '{"amount":"80.01","id":"contradicts"}', undefined],
] as const) {
  test.serial(
    `evidence that is ${title} is stored, and told at once, and violates the check of evidence`,
    async (t) => {
      const recorded = await recordRefund(tenant, `evidence ${title}`);
      const { state, verdicts, proof_id, unreadable } = await verifyWith(recorded, Buffer.from(content));
      t.deepEqual(unreadable, fault === undefined ? [] : [{ path: '/artifacts/0', message: fault }]);
      t.is(verdicts.evidence.verdict, 'violated');
      const code = fault === undefined ? 'EVIDENCE_CONTRADICTS' : 'EVIDENCE_UNREADABLE';
      const [reason] = verdicts.evidence.reasons;
      t.is(reason?.code, code);
      if (fault !== undefined) t.is(reason?.message, fault);
      // The execution waits for other evidence, although this action has all the evidence that its step allows.
      t.deepEqual([state, proof_id], ['evidence_submitted', null]);
    },
  );
}
