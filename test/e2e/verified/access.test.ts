import test from 'ava';
import { REFUND, TABLE } from '../../../gateway/verified/catalogue-examples.ts';
import { endpoints } from '../../../gateway/verified/index.ts';
import { approvePlan, createPlan, describeTools } from '../../../scripts/cli/try/flow-calls.ts';
import { playRun } from '../../../scripts/cli/try/play-run.ts';
import { readPlanFile, readRun, readRunFiles } from '../../../scripts/cli/try/run-file.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import type { KeyRole } from '../../../services/store/key-roles.ts';
import { ExecutionAnswer, VerifyExecutionAnswer } from '../../../services/verification/contract/answers.ts';
import { CreateTableAnswer, TABLE_TYPE } from '../../../services/verification/contract/catalogue.ts';
import { CreateSheetAnswer } from '../../../services/verification/contract/sheets.ts';
import { issueKey, revokeKey } from '../../../services/verification/tenants/keys.ts';
import { replaceUsers } from '../../../services/verification/users/embedded-users.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { codeOf, headerOf, readAnswer } from '../../kit/client.ts';
import { useVerifiedStack } from './verified-stack.ts';

const SHEET = {
  sheet_format: 1,
  name: 'mine',
  version: '1.0.0',
  title: 'Mine',
  variables: { x: { type: 'int' } },
  constraints: [{ id: 'positive', expr: ['>', ['var', 'x'], 0] }],
};

const readExecution = createReader(ExecutionAnswer, 'the execution');
const readVerification = createReader(VerifyExecutionAnswer, 'the verification');
const readTable = createReader(CreateTableAnswer, 'the table');
const readSheet = createReader(CreateSheetAnswer, 'the sheet');

const stack = await useVerifiedStack();

const upload = (key: string) =>
  fetch(`${stack.urls[0]}/api/v1/tables`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': TABLE_TYPE },
    body: TABLE,
  });

const mine = await stack.addTenant('mine');
const other = await stack.addTenant('other');
const run = readRun(defined(readRunFiles().get('as-planned')), 'access');
await describeTools(mine.approver);
const played = await playRun(readPlanFile(), run, { ...mine, onStep: () => {} });
const executionId = defined(played.executionId);
const execution = readExecution(await mine.agent.get(`/api/v1/executions/${executionId}`));
const planHash = execution.plan_hash;
const verificationId = defined(execution.verifications[0]);
const verification = readVerification(await mine.agent.get(`/api/v1/verifications/${verificationId}`));
const job = await request('POST', `/api/v1/executions/${executionId}/verify`, {
  key: mine.keys.agent,
  headers: { prefer: 'respond-async', 'idempotency-key': 'job' },
  body: {},
});
const table = readTable(await (await upload(mine.keys.agent)).json());
await mine.approver.post('/api/v1/tools', { tool: { ...REFUND, name: SHEET.name, version: SHEET.version } });
const reservable = await createPlan(mine.agent, `${readPlanFile()}reserve: 10m\n`);
await approvePlan(mine.approver, reservable);
const { plan_id, plan_hash } = reservable;
const { response: _, ...reserved } = defined(run.actions[0]);
const reservation = await mine.agent.post<{ readonly reservation_id: string }>('/api/v1/reservations', {
  plan_id,
  plan_hash,
  action: reserved,
});
/** Ids of the records of tenant `mine`, by their names in paths. */
const ids: Readonly<Record<string, string>> = {
  plan_id: execution.plan_id,
  execution_id: executionId,
  proof_id: defined(played.proofId),
  reservation_id: reservation.reservation_id,
  artifact_id: defined(execution.artifacts[0]).artifact_id,
  verification_id: verificationId,
  smtlib_sha256: defined(verification.pins.queries[0]).smtlib_sha256,
  job_id: String(job.json['job_id']),
  name: SHEET.name,
  sha256: table.sha256,
  version: SHEET.version,
};
const sheetHash = readSheet(await mine.agent.post('/api/v1/sheets', { sheet: SHEET })).sha256;
test.after.always(() => stack.stop());

interface Asked {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function request(method: string, path: string, { key, headers = {}, body }: Asked = {}) {
  const response = await fetch(`${stack.urls[0]}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { status, headers: given, json = {} } = await readAnswer(response);
  return { status, code: codeOf({ json }), json, headers: given };
}

const pathOf = (path: string, given = ids) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => defined(given[name]));
/** The body of an operation, which refers to records of tenant `mine`. */
const bodyOf = (operationId: string): Readonly<Record<string, unknown>> | undefined =>
  ({
    verified_approve_plan: { plan_hash: planHash },
    verified_withdraw_approval: { plan_hash: planHash },
    verified_reject_plan: { plan_hash: planHash, reason: 'No' },
    verified_check_plan_alignment: { execution_id: ids['execution_id'] },
    verified_check_constraints: { plan_id: ids['plan_id'], plan_hash: planHash, mode: 'complete', actions: [] },
    verified_record_execution: {
      plan_id: ids['plan_id'],
      plan_hash: planHash,
      alignment_check_id: ids['plan_id'],
      constraints_check_id: ids['plan_id'],
      actions: [action],
    },
    verified_submit_evidence: {
      artifacts: [
        {
          action_id: ids['artifact_id'],
          kind: 'receipt',
          media_type: 'application/json',
          sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
          bytes_base64: 'e30=',
        },
      ],
    },
    verified_verify_execution: {},
    verified_preflight_action: { plan_id: ids['plan_id'], plan_hash: planHash, done: [], action: intent },
    verified_reserve_action: { plan_id: ids['plan_id'], plan_hash: planHash, action: intent },
    verified_release_reservation: {},
    verified_exact_select: { scale: 0, items: [] },
    verified_create_sheet: { sheet: SHEET },
    verified_create_tool: { tool: REFUND },
    verified_compose_sheets: {
      sheets: [{ name: SHEET.name, version: SHEET.version, sha256: sheetHash }],
      save_as: null,
    },
  })[operationId];
const intent = { step_id: 'look', tool: 'order.get', tool_version: '1.0.0', args: { order_id: 'A1' } };
const action = {
  ...intent,
  response: { total: '80.00' },
  started_at: '2026-11-21T12:00:00.000000Z',
  ended_at: '2026-11-21T12:00:00.000000Z',
};
const closed = endpoints.filter(({ isPublic }) => !isPublic);
let keys = 0;
const ask = ({ method, path, operationId, request: body }: (typeof endpoints)[number], asked: Asked = {}) =>
  request(method, pathOf(path), {
    headers: {
      'idempotency-key': `access-${keys++}`,
      ...(body?.type === undefined ? {} : { 'content-type': body.type }),
    },
    ...(method === 'POST' ? { body: bodyOf(operationId) ?? body?.examples[0] ?? {} } : {}),
    ...asked,
  });

const APPROVALS = new Set(['verified_approve_plan', 'verified_reject_plan', 'verified_withdraw_approval']);
const OF_APPROVER = new Set([...APPROVALS, 'verified_create_tool']);
const WITHOUT_RECORD_IDS = new Set([
  'verified_create_plan',
  'verified_list_plans',
  'verified_list_executions',
  'verified_list_proofs',
  'verified_list_users',
  'verified_exact_select',
  'verified_list_sheets',
  'verified_create_sheet',
  'verified_create_tool',
  'verified_list_tools',
  'verified_create_table',
]);
/** Operations that compute an answer and store nothing. Keys of any role may call them. */
const FOR_ANY_ROLE = new Set(['verified_preflight_action', 'verified_exact_select']);

test('no record of one tenant is visible to another', async (t) => {
  for (const endpoint of closed) {
    if (WITHOUT_RECORD_IDS.has(endpoint.operationId)) continue;
    const key = APPROVALS.has(endpoint.operationId) ? other.keys.approver : other.keys.agent;
    const { status, code, json } = await ask(endpoint, { key });
    // The body names the sheet, so an unknown sheet is a fault of the body.
    const isInBody = endpoint.operationId === 'verified_compose_sheets';
    const expected = isInBody ? { status: 422, code: 'MALFORMED_INPUT' } : { status: 404, code: 'NOT_FOUND' };
    t.deepEqual({ status, code }, expected, endpoint.operationId);
    t.false(JSON.stringify(json).includes(sheetHash), endpoint.operationId);
    t.false(JSON.stringify(json).includes(planHash), endpoint.operationId);
  }
});

test("every read returns the tenant's own records", async (t) => {
  for (const endpoint of closed.filter(({ method }) => method === 'GET')) {
    const { status } = await ask(endpoint, { key: mine.keys.reader });
    t.is(status, 200, endpoint.operationId);
  }
});

test('malformed and unknown ids return NOT_FOUND', async (t) => {
  const nothing = '01a1ff10-ab22-7009-9a2f-8dff3c2533c4';
  for (const id of [nothing, 'x', '..%2f..%2fstatus', "'%20OR%201=1", '%00', 'a'.repeat(5000)]) {
    const given = Object.fromEntries(Object.keys(ids).map((name) => [name, id]));
    for (const endpoint of closed.filter(({ path }) => path.includes('{'))) {
      const { status } = await request(endpoint.method, pathOf(endpoint.path, given), {
        key: OF_APPROVER.has(endpoint.operationId) ? mine.keys.approver : mine.keys.agent,
        headers: { 'idempotency-key': `none-${keys++}` },
        ...(endpoint.method === 'POST' ? { body: bodyOf(endpoint.operationId) } : {}),
      });
      t.true([400, 404, 414].includes(status), `${endpoint.operationId} ${id.slice(0, 20)} ${status}`);
    }
  }
});

test('refuses every request with a missing or malformed key', async (t) => {
  const bad = [undefined, '', 'thk_', `thk_${'A'.repeat(43)}`, mine.keys.agent.slice(0, -1), `${mine.keys.agent}x`];
  for (const endpoint of closed) {
    for (const key of bad) {
      const { status, code, headers } = await ask(endpoint, key === undefined ? {} : { key });
      t.deepEqual({ status, code }, { status: 401, code: 'UNAUTHENTICATED' }, endpoint.operationId);
      t.regex(headerOf({ status, headers }, 'www-authenticate'), /^Bearer/);
    }
  }
});

test('a revoked key stops working at once', async (t) => {
  const gone = await stack.addTenant('gone');
  const path = `/api/v1/plans/${ids['plan_id']}`;
  t.is((await request('GET', path, { key: gone.keys.reader })).status, 404);
  const rows = await stack.owner.selectFrom('verification.api_key').select(['key_id', 'tenant_id']).execute();
  for (const { key_id, tenant_id } of rows) if (tenant_id === gone.tenantId) await revokeKey(stack.owner, key_id);
  t.is((await request('GET', path, { key: gone.keys.reader })).status, 401);
});

test('lists users by query parameters, with complete email addresses for a key with the scope', async (t) => {
  const people = ['1', '2', '3'].map((id) => ({ id, name: `Ann ${id}`, email: 'ann@example.com', active: id !== '2' }));
  await replaceUsers(stack.owner, mine.tenantId, people);
  const path = '/api/v1/users?limit=1&active=true&query=ANN%20';
  const first = await request('GET', path, { key: mine.keys.approver });
  t.like(first, { status: 200, json: { source: 'embedded', users: [{ id: '1', email: 'a•••@example.com' }] } });
  const cursor = String(first.json['next_cursor']);
  const { key } = await issueKey(stack.owner, mine.tenantId, 'reader', { scopes: ['crm.email'] });
  const { json } = await request('GET', `${path}&cursor=${cursor}`, { key });
  t.like(json, { users: [{ id: '3', email: 'ann@example.com' }], next_cursor: null });
  t.is((await request('GET', `${path}&cursor=${cursor}`, { key: other.keys.reader })).code, 'MALFORMED_INPUT');
});

for (const [query, code] of [
  ['activ=true', 'INVALID_REQUEST'],
  ['limit=1&limit=2', 'INVALID_REQUEST'],
  ['limit=ten', 'MALFORMED_INPUT'],
  ['active=1', 'MALFORMED_INPUT'],
  ['query=', 'MALFORMED_INPUT'],
  ['cursor=x', 'MALFORMED_INPUT'],
] as const) {
  test(`refuses to list users by ${query}`, async (t) => {
    t.is((await request('GET', `/api/v1/users?${query}`, { key: mine.keys.reader })).code, code);
  });
}

const rolesWithout = (operationId: string): readonly KeyRole[] => {
  if (operationId === 'verified_create_table') return ['reader'];
  return OF_APPROVER.has(operationId) ? ['agent', 'reader'] : ['approver', 'reader'];
};

test('each role may do its own operations and no others', async (t) => {
  const writes = closed.filter(({ method, operationId }) => method !== 'GET' && !FOR_ANY_ROLE.has(operationId));
  for (const endpoint of writes) {
    const isApproval = APPROVALS.has(endpoint.operationId);
    for (const role of rolesWithout(endpoint.operationId)) {
      const { status, code } = await ask(endpoint, { key: mine.keys[role] });
      const expected = isApproval ? 'APPROVAL_NOT_ALLOWED' : 'ROLE_NOT_ALLOWED';
      t.deepEqual({ status, code }, { status: 403, code: expected }, `${endpoint.operationId} ${role}`);
    }
  }
});
