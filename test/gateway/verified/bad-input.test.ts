import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createVerifiedClients } from '../../../gateway/clients/verified-clients.ts';
import { AppError } from '../../../gateway/errors/app-error.ts';
import type { Endpoint } from '../../../gateway/verified/endpoint.ts';
import { endpoints } from '../../../gateway/verified/index.ts';
import type { ErrorCode } from '../../../services/platform/errors/error-codes.ts';
import { isRecord } from '../../../services/platform/is-record.ts';
import { issueKey } from '../../../services/verification/tenants/keys.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { codeOf, errorOf, headerOf, rawRequest } from '../../kit/client.ts';
import { changed } from '../../kit/set-at.ts';
import { REFUND_PLAN } from '../../models/refund-plan.ts';
import { useVerificationProcess } from '../../services/verification/verification-process.ts';
import { startGatewayApp } from './gateway-app.ts';

// Requests that the service refuses go from the endpoint to the service, without HTTP.

const verification = await useVerificationProcess();
const { target } = verification;
const tenant = await verification.addTenant('bad input');
const { clients, close } = createVerifiedClients({ verification: target, jobs: 'unix:/nowhere/backoffice.sock' });
const gateway = await startGatewayApp({ target, rateLimitPerMinute: 0 });
const { key } = await verification.withDatabase('owner', (database) => issueKey(database, tenant.tenantId, 'agent'));
test.after.always(async () => {
  close();
  await gateway.close();
  await verification.stop();
});

/** Tables are not JSON. */
const posts = endpoints.filter(({ method, request }) => method === 'POST' && request?.type === undefined);
const endpointOf = (id: string) => defined(posts.find(({ operationId }) => operationId === id));
const IS_APPROVERS = /\/(?:approve|reject|withdraw|tools)$/;
const exampleOf = ({ request }: Endpoint): Readonly<Record<string, unknown>> => {
  const example = defined(request).examples[0];
  if (!isRecord(example)) throw new TypeError('the example is not an object');
  return example;
};

/** Has an endpoint ask the service. @returns the error */
async function ask(endpoint: Endpoint, body: unknown, idempotencyKey: string = uuidv7()): Promise<AppError> {
  const answer = await endpoint
    .call({
      caller: IS_APPROVERS.test(endpoint.path) ? tenant.approver : tenant.agent,
      params: { plan_id: uuidv7(), execution_id: uuidv7(), reservation_id: uuidv7() },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      idempotencyKey,
      wantsJob: false,
      wantsMarkdown: false,
      clients,
      settings: { requestId: uuidv7(), timeoutMs: endpoint.timeoutMs },
    })
    .catch((error: unknown) => error);
  if (answer instanceof AppError) return answer;
  throw new Error(`${endpoint.operationId}: ${JSON.stringify(answer)}`);
}

const isMalformed = async (t: ExecutionContext, endpoint: Endpoint, body: unknown, said: string | RegExp = '') => {
  const { code, message } = await ask(endpoint, body);
  const what = `${endpoint.operationId}, ${JSON.stringify(body)?.slice(0, 80)}: ${message}`;
  t.is(code, 'MALFORMED_INPUT', what);
  t.regex(message, new RegExp(said), what);
};

// Bodies

const NOT_STRICT = [
  ...['{"plan":', '{} {}', '\ufeff{}', '{"plan":{},"plan":{}}', '{"plan":{"a":[{"b":1,"\\u0062":1}]}}'],
  ...['{"plan":{"title":"\\ud800"}}', '{"plan":{"title":"\\u0000"}}', '{"plan":{"__proto__":{"title":"x"}}}'],
  ...['9007199254740992', '0.99999999999999999999', '1e-400', '1e21', '-0'].map((number) => `{"plan":{"n":${number}}}`),
  `{"plan":${'['.repeat(100)}${']'.repeat(100)}}`,
];

/** Whether a value of a field is valid. Lists of proposed actions, earlier actions, items and artifacts of a run may be empty. */
function isValid({ idempotencyKey, operationId }: Endpoint, name: string, value: unknown): boolean {
  if (name === 'save_as') return value === null;
  const isReport = name === 'artifacts' && operationId === 'verified_report_run';
  const isProposal = name === 'actions' && idempotencyKey === 'optional';
  const mayBeEmpty = name === 'done' || name === 'items' || isProposal || isReport;
  return mayBeEmpty && Array.isArray(value);
}

for (const endpoint of posts) {
  const { operationId, idempotencyKey } = endpoint;

  test(`${operationId} refuses what is not strict JSON, not an object, or has unknown fields`, async (t) => {
    for (const body of NOT_STRICT) t.is((await ask(endpoint, body)).code, 'INVALID_JSON', body.slice(0, 60));
    for (const body of ['[]', 'null', '"plan"', '1', '{"constructor":{}}']) await isMalformed(t, endpoint, body);
    await isMalformed(t, endpoint, { ...exampleOf(endpoint), other: 1 });
  });

  const fields = operationId === 'verified_exact_select' ? ['scale', 'items'] : Object.keys(exampleOf(endpoint));
  if (fields.length > 0) {
    test(`${operationId} requires each of its fields, with its type`, async (t) => {
      await isMalformed(t, endpoint, {});
      for (const name of fields) {
        const { [name]: _, ...rest } = exampleOf(endpoint);
        for (const body of [rest, ...[null, 1, true, [], {}, ''].map((value) => ({ ...rest, [name]: value }))]) {
          if (!isValid(endpoint, name, body[name])) await isMalformed(t, endpoint, body);
        }
      }
    });
  }

  if (idempotencyKey !== undefined) {
    test(`${operationId} refuses malformed idempotency keys, and a missing one if it needs one`, async (t) => {
      const example = exampleOf(endpoint);
      if (idempotencyKey === 'required') t.is((await ask(endpoint, example, '')).code, 'IDEMPOTENCY_KEY_REQUIRED');
      for (const wrong of ['a'.repeat(256), 'clé', 'a b', 'a\tb']) {
        t.is((await ask(endpoint, example, wrong)).code, 'MALFORMED_INPUT', wrong.slice(0, 9));
      }
    });
  }
}

// Documents inside of bodies. Other faults of plans and actions are those of test/workers/verdict.

const [look, pay] = REFUND_PLAN.steps;
const [reading, paying] = REFUND_PLAN.tools;
/** A plan without a catalogue: both tools have the name of one that only reads. */
const PLAN = {
  ...REFUND_PLAN,
  expires_at: '2099-12-31T00:00:00.000000Z',
  tools: [reading, { ...paying, name: 'order.get' }],
  steps: [look, { ...pay, tool: 'order.get@2.1.0' }],
};
const sum = ['sum', 'pay', 'p', ['arg', 'p', 'amount']];
const CONTRADICTION = [
  { id: 'much', expr: ['>=', sum, ['dec', '50.00']] },
  { id: 'little', expr: ['<=', sum, ['dec', '20.00']] },
];
const PLANS: readonly (readonly [path: string, value: unknown, said: string, code?: ErrorCode])[] = [
  ['/steps/0/tool', 'order.find@1.0.0', 'UNKNOWN_TOOL'],
  ['/tools/0/trusted', true, 'MALFORMED_PLAN'],
  ['/steps/1/evidence/0/reads/amount/at', 'amount', 'MALFORMED_PLAN'],
  ['/steps/0/max', 1001, 'MALFORMED_PLAN'],
  ['/plan_format', 1, '^/plan/plan_format: must be 2: docs/verified-execution/plan-format.md'],
  ['/steps/0/step_id', 'a'.repeat(65), 'MALFORMED_PLAN'],
  ['/steps/0/step_id', 'lóok', 'MALFORMED_PLAN'],
  ['/variables/čap', PLAN.variables.cap, 'MALFORMED_PLAN'],
  ['/title', 'a'.repeat(600_000), '^/plan: larger'],
  ...[
    '2020-01-01T00:00:00.000000Z',
    '2099-02-30T00:00:00.000000Z',
    '0000-01-01T00:00:00.000000Z',
    '2099-01-01T00:00:00Z',
  ].map((time) => ['/expires_at', time, '/plan/expires_at'] as const),
  ['/supersedes', uuidv7(), '/plan/supersedes'],
  ['/supersedes', 'x', '/plan/supersedes'],
  ['/constraints', CONTRADICTION, 'much', 'PLAN_VACUOUS'],
];
for (const [path, value, said, code = 'MALFORMED_INPUT'] of PLANS) {
  test(`a plan whose ${path} is ${JSON.stringify(value).slice(0, 40)} is refused: ${code} ${said}`, async (t) => {
    const refused = await ask(endpointOf('verified_create_plan'), { plan: changed(PLAN, { [path]: value }) });
    t.is(refused.code, code, refused.message);
    t.regex(refused.message, new RegExp(said));
  });
}

for (const [name, operationIds, changes] of [
  [
    'actions',
    ['verified_check_plan_alignment', 'verified_check_constraints', 'verified_record_execution'],
    { args: [undefined, []], step_id: ['päy'], tool: [undefined], verdict: ['satisfied'] },
  ],
  ['actions', ['verified_record_execution'], { outcome: ['lost', null], error: ['x'.repeat(4097)] }],
  ['artifacts', ['verified_submit_evidence'], { sha256: ['A'.repeat(64)], kind: ['reçu'] }],
] as const) {
  for (const operationId of operationIds) {
    test(`${operationId} refuses ${name} with a wrong ${Object.keys(changes).join(', ')}`, async (t) => {
      const endpoint = endpointOf(operationId);
      for (const [field, values] of Object.entries(changes)) {
        for (const value of values) {
          await isMalformed(t, endpoint, changed(exampleOf(endpoint), { [`/${name}/0/${field}`]: value }), `^/${name}`);
        }
      }
    });
  }
}

test('no more than 500 artifacts are read', async (t) => {
  const endpoint = endpointOf('verified_submit_evidence');
  const { artifacts } = exampleOf(endpoint);
  if (!Array.isArray(artifacts)) throw new TypeError('the example has no artifacts');
  await isMalformed(t, endpoint, { artifacts: Array(501).fill(artifacts[0]) }, '^/artifacts');
});

// What HTTP refuses

for (const endpoint of posts) {
  test(`${endpoint.operationId} refuses bodies of other types, too large or compressed, and repeated headers`, async (t) => {
    const url = gateway.origin + endpoint.path.replaceAll(/\{\w+\}/g, uuidv7());
    const text = JSON.stringify(exampleOf(endpoint));
    for (const [body, changes, refusal] of [
      ['{}', { 'content-type': 'text/plain' }, [415, 'UNSUPPORTED_MEDIA_TYPE']],
      ['{}', { 'content-type': 'application/x-www-form-urlencoded' }, [415, 'UNSUPPORTED_MEDIA_TYPE']],
      ['{}', { 'content-type': 'application/xml' }, [415, 'UNSUPPORTED_MEDIA_TYPE']],
      [gzipSync('{}'), { 'content-encoding': 'gzip' }, [415, 'UNSUPPORTED_MEDIA_TYPE']],
      [`{"plan":"${'a'.repeat(9_000_000)}"}`, {}, [413, 'BODY_TOO_LARGE']],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, [400, 'INVALID_JSON']],
      [text, { 'idempotency-key': ['one', 'two'] }, [400, 'INVALID_REQUEST']],
      [text, { authorization: ['Bearer a', 'Bearer b'] }, [400, 'INVALID_REQUEST']],
    ] as const) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...changes };
      const answer = await rawRequest(url, { headers, body });
      t.deepEqual([answer.status, codeOf(answer)], refusal, JSON.stringify(changes));
      t.is(headerOf(answer, 'x-request-id'), errorOf(answer).requestId);
    }
  });
}

test('an empty body has no fields', async (t) => {
  for (const endpoint of posts.filter(
    (each) => !IS_APPROVERS.test(each.path) && Object.keys(exampleOf(each)).length > 0,
  )) {
    const url = gateway.origin + endpoint.path.replaceAll(/\{\w+\}/g, uuidv7());
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': uuidv7() };
    t.is(codeOf(await rawRequest(url, { headers, body: '' })), 'MALFORMED_INPUT', endpoint.operationId);
  }
});

for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
  test(`${path} answers other methods with 405 and lists its own`, async (t) => {
    const own: readonly string[] = endpoints.filter((each) => each.path === path).map(({ method }) => method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !own.includes(each))) {
      const answer = await rawRequest(gateway.origin + path.replaceAll(/\{\w+\}/g, 'x'), { method });
      t.deepEqual([answer.status, codeOf(answer)], [405, 'METHOD_NOT_ALLOWED'], method);
      const allowed = headerOf(answer, 'allow').split(', ');
      t.deepEqual(
        allowed.filter((each) => each !== 'HEAD' && each !== 'OPTIONS'),
        [...own],
      );
    }
  });
}
