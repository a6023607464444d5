import { gzipSync } from 'node:zlib';
import test from 'ava';
import { sql } from 'kysely';
import { createTool } from '../../../gateway/verified/catalogue-examples.ts';
import type { Endpoint } from '../../../gateway/verified/endpoint.ts';
import { endpoints } from '../../../gateway/verified/index.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { CheckAnswer, VerifyExecutionAnswer } from '../../../services/verification/contract/answers.ts';
import { SHIPPED_SHEETS } from '../../../services/verification/sheets/shipped-sheets.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { type Answer, codeOf, errorOf, headerOf, post, rawRequest } from '../../helpers/client.ts';
import {
  BODIES,
  type Changes,
  CONTRADICTION,
  changed,
  MALFORMED,
  MISSHAPEN,
  PLANS,
  RECORDED,
  type Refusal,
  UNTYPED,
} from './bad-documents.ts';
import { doneNow, INTENTS, PLAN, type Refund, receiptOf, recordRefund } from './refund.ts';
import { useVerifiedStack } from './verified-stack.ts';

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

type Headers = Readonly<Record<string, string | readonly string[]>>;

let keys = 0;
const keyOf = (path: string) => (/\/(approve|withdraw|tools)$/.test(path) ? tenant.keys.approver : tenant.keys.agent);

function send(path: string, body: string | Buffer, headers: Headers = {}): Promise<Answer> {
  const known = path.replace('{plan_id}', refund.planId).replace('{execution_id}', refund.executionId);
  keys += 1;
  return rawRequest(stack.urls[0] + known, {
    headers: {
      authorization: `Bearer ${keyOf(path)}`,
      'content-type': 'application/json',
      'idempotency-key': `hostile-${keys}`,
      ...headers,
    },
    body,
  });
}

const REJECTED: Refusal = { status: 422, code: 'EVIDENCE_REJECTED' };

/** Declares a test of one refusal. The tests are serial, because the last of them counts stored rows. */
function refused(title: string, { status, code, fault = '' }: Refusal, ask: () => Promise<Answer>): void {
  test.serial(`${title}: ${status} ${code} ${fault}`, async (t) => {
    const answer = await ask();
    t.deepEqual({ status: answer.status, code: codeOf(answer) }, { status, code }, answer.text);
    t.true(answer.text.includes(fault), answer.text);
    t.is(headerOf(answer, 'x-request-id'), errorOf(answer).requestId);
  });
}

/** Tables are not JSON. */
const posts = endpoints.filter(({ method, request }) => method === 'POST' && request?.type === undefined);

// Bodies

for (const { path, operationId } of posts) {
  for (const [title, body, expected] of BODIES) {
    refused(`${operationId} refuses ${title}`, expected, () => send(path, body));
  }
  // Sent by `fetch`, which keeps the connection open and therefore reads the early answer.
  refused(`${operationId} refuses a body of 9 MB`, { status: 413, code: 'BODY_TOO_LARGE' }, () =>
    post(stack.urls[0] + path, `{"plan":"${'a'.repeat(9_000_000)}"}`, { authorization: `Bearer ${keyOf(path)}` }),
  );
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
    refused(`${operationId} refuses a body of type ${type}`, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }, () =>
      send(path, '{}', { 'content-type': type }),
    );
  }
  refused(`${operationId} refuses a compressed body`, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }, () =>
    send(path, gzipSync('{}'), { 'content-encoding': 'gzip' }),
  );
}
for (const { path, operationId } of posts.filter(({ operationId }) => operationId !== 'verified_verify_execution')) {
  refused(`${operationId} refuses an empty body`, MALFORMED, () => send(path, ''));
  refused(`${operationId} refuses an empty object`, MALFORMED, () => send(path, '{}'));
}

// Fields that are missing, mistyped or unknown

type Fields = Readonly<Record<string, unknown>>;

const { name, version, sha256, document } = defined(SHIPPED_SHEETS[0]);
const sheet = { ...JSON.parse(document), name: 'hostile' };

/** A valid body for an endpoint. */
const bodyOf = ({ operationId }: Endpoint): Fields => {
  const named = { plan_id: refund.planId, plan_hash: refund.planHash };
  const proposal = { ...named, mode: 'complete', actions: INTENTS };
  const bodies: Readonly<Record<string, Fields>> = {
    verified_create_plan: { plan: PLAN },
    verified_approve_plan: { plan_hash: refund.planHash },
    verified_withdraw_approval: { plan_hash: refund.planHash },
    verified_check_plan_alignment: proposal,
    verified_check_constraints: proposal,
    verified_record_execution: { ...named, ...refund.checks, actions: doneNow('more') },
    verified_submit_evidence: { artifacts: [receiptOf(refund)] },
    verified_verify_execution: {},
    verified_preflight_action: { ...named, done: doneNow('more').slice(0, 1), action: INTENTS[1] },
    verified_exact_select: { scale: 0, items: [{ id: 'a', values: { p: '1' } }] },
    verified_create_sheet: { sheet },
    verified_create_tool: createTool.request,
    verified_compose_sheets: { sheets: [{ name, version, sha256 }], save_as: { name: 'both', version: '1.0.0' } },
  };
  return defined(bodies[operationId]);
};

/** Whether a value of a field is valid. Lists of proposed actions, earlier actions and items may be empty. */
function isValid({ idempotencyKey }: Endpoint, name: string, value: unknown): boolean {
  if (name === 'save_as') return value === null;
  const mayBeEmpty = name === 'done' || name === 'items' || (name === 'actions' && idempotencyKey === 'optional');
  return mayBeEmpty && Array.isArray(value);
}

for (const endpoint of posts.filter(({ operationId }) => operationId !== 'verified_verify_execution')) {
  test.serial(`${endpoint.operationId} requires each of its fields, with its type`, async (t) => {
    const body = bodyOf(endpoint);
    for (const name of Object.keys(body)) {
      const { [name]: _, ...rest } = body;
      for (const changed of [rest, ...[null, 1, true, [], {}, ''].map((value) => ({ ...rest, [name]: value }))]) {
        if (isValid(endpoint, name, changed[name])) continue;
        const answer = await send(endpoint.path, JSON.stringify(changed));
        t.deepEqual([answer.status, codeOf(answer)], [422, 'MALFORMED_INPUT'], `${name}: ${answer.text}`);
      }
    }
  });
}

// Plans

for (const [title, changes, fault] of PLANS) {
  refused(`a plan with ${title}`, { ...MALFORMED, fault }, () =>
    send('/api/v1/plans', JSON.stringify({ plan: changed(PLAN, changes) })),
  );
}
refused('a plan whose rules contradict each other', { status: 422, code: 'PLAN_VACUOUS', fault: 'much' }, () =>
  send('/api/v1/plans', JSON.stringify({ plan: changed(PLAN, { '/constraints': CONTRADICTION }) })),
);
refused('a plan that declares a payment as a write without money', { status: 422, code: 'EFFECT_UNDERSTATED' }, () =>
  send('/api/v1/plans', JSON.stringify({ plan: changed(PLAN, { '/tools/1/effect': 'write' }) })),
);

// Actions

for (const kind of ['plan-alignment', 'constraints']) {
  for (const [title, changes] of MISSHAPEN) {
    refused(`a check of ${kind} for an action with ${title}`, MALFORMED, () => {
      const named = { plan_id: refund.planId, plan_hash: refund.planHash, mode: 'complete' };
      return send(`/api/v1/verify/${kind}`, JSON.stringify({ ...named, actions: changed(INTENTS, changes) }));
    });
  }
}
for (const [title, changes] of [...UNTYPED, ...MISSHAPEN, ...RECORDED]) {
  refused(`an execution with ${title}`, MALFORMED, () => {
    const body = { plan_id: refund.planId, plan_hash: refund.planHash, ...refund.checks };
    return send('/api/v1/executions', JSON.stringify({ ...body, actions: changed(doneNow('bad'), changes) }));
  });
}

// Headers and methods

const sendValid = (endpoint: Endpoint, headers: Headers) =>
  send(endpoint.path, JSON.stringify(bodyOf(endpoint)), headers);
for (const endpoint of posts) {
  const { operationId } = endpoint;
  if (endpoint.idempotencyKey === 'required') {
    refused(`${operationId} without an idempotency key`, { status: 400, code: 'IDEMPOTENCY_KEY_REQUIRED' }, () =>
      sendValid(endpoint, { 'idempotency-key': '' }),
    );
  }
  for (const key of endpoint.idempotencyKey === undefined ? [] : ['a'.repeat(256), 'clé', 'a b', 'a\tb']) {
    refused(`${operationId} with the idempotency key ${JSON.stringify(key.slice(0, 9))}`, MALFORMED, () =>
      sendValid(endpoint, { 'idempotency-key': key }),
    );
  }
  for (const [name, values] of [
    ['idempotency-key', ['one', 'two']],
    ['authorization', ['Bearer a', 'Bearer b']],
  ] as const) {
    refused(`${operationId} with ${name} sent twice`, { status: 400, code: 'INVALID_REQUEST' }, () =>
      sendValid(endpoint, { [name]: values }),
    );
  }
}

for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
  test.serial(`${path} answers other methods with 405 and lists its own`, async (t) => {
    const own: readonly string[] = endpoints.filter((each) => each.path === path).map(({ method }) => method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !own.includes(each))) {
      const answer = await rawRequest(stack.urls[0] + path.replaceAll(/\{\w+\}/g, 'x'), { method });
      t.deepEqual([answer.status, codeOf(answer)], [405, 'METHOD_NOT_ALLOWED'], method);
      const allowed = headerOf(answer, 'allow').split(', ');
      t.deepEqual(
        allowed.filter((each) => each !== 'HEAD' && each !== 'OPTIONS'),
        [...own],
      );
    }
  });
}

// Evidence

type Artifact = ReturnType<typeof receiptOf>;

const submit = (artifacts: readonly object[]) =>
  send('/api/v1/executions/{execution_id}/evidence', JSON.stringify({ artifacts }));
/** The SHA-256 of the bytes `ab`. */
const AB = 'fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603';
const ARTIFACTS: readonly (readonly [string, (receipt: Artifact) => Changes, Refusal])[] = [
  ['the hash of other bytes', () => ({ sha256: '0'.repeat(64) }), REJECTED],
  ['a hash in capitals', ({ sha256 }) => ({ sha256: sha256.toUpperCase() }), MALFORMED],
  ['base64 without padding', () => ({ bytes_base64: 'YWI', sha256: AB }), REJECTED],
  ['base64 whose unused bits are set', () => ({ bytes_base64: 'YWJ=', sha256: AB }), REJECTED],
  ['base64 with white space', ({ bytes_base64 }) => ({ bytes_base64: `${bytes_base64}\n` }), REJECTED],
  ['base64url', ({ bytes_base64 }) => ({ bytes_base64: bytes_base64.replace('e', '-') }), REJECTED],
  ['text that is not base64', () => ({ bytes_base64: '{}' }), REJECTED],
  ['another media type', () => ({ media_type: 'text/html' }), REJECTED],
  ['a media type with a parameter', () => ({ media_type: 'application/json; charset=utf-8' }), REJECTED],
  ['an unknown kind', () => ({ kind: 'photo' }), REJECTED],
  ['a kind beyond ASCII', () => ({ kind: 'reçu' }), MALFORMED],
  ['an action that does not exist', () => ({ action_id: refund.planId }), REJECTED],
  ['an action whose step needs no evidence', () => ({ action_id: refund.actionIds[0] }), REJECTED],
];
for (const [title, changesOf, refusal] of ARTIFACTS) {
  refused(`evidence with ${title}`, refusal, () => {
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
refused('501 artifacts', MALFORMED, () => submit(Array(501).fill(receiptOf(refund))));

// State after all refusals

test.serial('stores nothing of refused requests', async (t) => {
  t.deepEqual(await readCounts(), countsBefore);
});

const readCheck = createReader(CheckAnswer, 'the check');
const readVerification = createReader(VerifyExecutionAnswer, 'the verification');

for (const kind of ['plan-alignment', 'constraints']) {
  test.serial(`a check of ${kind} is invalid_input for a missing or mistyped argument, and names it`, async (t) => {
    for (const [title, changes] of UNTYPED) {
      const named = { plan_id: refund.planId, plan_hash: refund.planHash, mode: 'complete' };
      const body = JSON.stringify({ ...named, actions: changed(INTENTS, changes) });
      const { status, json } = await send(`/api/v1/verify/${kind}`, body);
      const { result } = readCheck(json);
      t.deepEqual([status, result.verdict], [200, 'invalid_input'], title);
      t.regex(defined(defined(result.reasons[0]).path), /^\/actions\/1\/args/, title);
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
