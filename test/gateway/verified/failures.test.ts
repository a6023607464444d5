import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { sql } from 'kysely';
import { verifiedTools } from '../../../gateway/mcp/verified/verified-mcp.ts';
import type { Endpoint } from '../../../gateway/verified/endpoint.ts';
import { endpoints } from '../../../gateway/verified/index.ts';
import { ignoreGone } from '../../../scripts/lab/load/measure/ignore-gone.ts';
import { createTenant, issueKey } from '../../../services/verification/tenants/keys.ts';
import { codeOf, errorOf, readAnswer } from '../../kit/client.ts';
import { until } from '../../kit/until.ts';
import { startVerificationProcess } from '../../services/verification/verification-process.ts';
import { startGatewayApp } from './gateway-app.ts';

const LIMIT = 5;

const verification = await startVerificationProcess();
const { target } = verification;
const limited = await startGatewayApp({ target, rateLimitPerMinute: LIMIT });
const unlimited = await startGatewayApp({ target, rateLimitPerMinute: 0 });
test.after.always(async () => {
  await limited.close();
  await unlimited.close();
  await verification.stop();
});

const newKey = () =>
  verification.withDatabase('owner', async (database) => {
    const tenantId = await createTenant(database, `failures ${randomUUID()}`);
    return (await issueKey(database, tenantId, 'agent')).key;
  });

interface Sent {
  readonly key?: string;
  /** The client address that a trusted proxy reports. */
  readonly address?: string;
  readonly body?: unknown;
  /** Media type of the body, if it is not JSON. */
  readonly type?: string;
  readonly idempotencyKey?: string;
}

async function send(url: string, method: string, sent: Sent) {
  const { key, address = '192.0.2.1', body, type = 'application/json', idempotencyKey } = sent;
  const response = await fetch(url, {
    method,
    headers: {
      'x-forwarded-for': address,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { json = {} } = await readAnswer(response);
  return { status: response.status, code: codeOf({ json }), json, retryAfter: response.headers.get('retry-after') };
}

const select = (sent: Sent) => send(`${limited.origin}/api/v1/select`, 'POST', sent);
const WRONG = { scale: 0 };
const RIGHT = { scale: 0, items: [] };

async function repeat<T>(times: number, attempt: () => Promise<T>): Promise<readonly T[]> {
  const answers: T[] = [];
  for (let time = 0; time < times; time += 1) answers.push(await attempt());
  return answers;
}

// Limits

test.serial('a valid key is not affected by failed requests from its address', async (t) => {
  const address = '192.0.2.10';
  const wrongKey = `thk_${'A'.repeat(43)}`;
  const wrong = await repeat(LIMIT + 2, () => select({ key: wrongKey, address, body: RIGHT }));
  t.deepEqual(
    wrong.map(({ status }) => status),
    [...new Array<number>(LIMIT).fill(401), 429, 429],
  );
  const missing = await select({ address, body: RIGHT });
  t.is(missing.code, 'RATE_LIMITED');
  const key = await newKey();
  t.is((await select({ key, address, body: WRONG })).code, 'MALFORMED_INPUT');
  t.is((await select({ key, address, body: RIGHT })).status, 200);
});

test.serial(
  'a key whose requests fail too often is refused before any work, from every address; other keys are not',
  async (t) => {
    const key = await newKey();
    const failed = await repeat(LIMIT, () => select({ key, address: '192.0.2.20', body: WRONG }));
    t.deepEqual([...new Set(failed.map(({ code }) => code))], ['MALFORMED_INPUT']);
    // This request is valid, so the refusal shows that it was not executed.
    const refused = await select({ key, address: '192.0.2.21', body: RIGHT });
    t.like(refused, { status: 429, code: 'RATE_LIMITED' });
    t.regex(errorOf(refused).message, /API key/);
    t.true(Number(refused.retryAfter) > 0);
    t.is((await select({ key: await newKey(), address: '192.0.2.20', body: RIGHT })).status, 200);
  },
);

test.serial('a failed call of a tool counts against the key and keeps its own error', async (t) => {
  const address = '192.0.2.30';
  await repeat(LIMIT + 1, () => select({ address, body: RIGHT }));
  const key = await newKey();
  const call = (args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_exact_select', arguments: args } };
    return send(`${limited.origin}/api/v1/mcp`, 'POST', { key, address, body });
  };
  const failed = await repeat(LIMIT, () => call(WRONG));
  for (const { status, json } of failed) {
    t.is(status, 200);
    t.regex(JSON.stringify(json), /MALFORMED_INPUT/);
  }
  t.is((await call(RIGHT)).status, 429);
});

// The store

const OF_APPROVER = new Set([
  'verified_approve_plan',
  'verified_reject_plan',
  'verified_withdraw_approval',
  'verified_create_tool',
]);
const UNSTORED = new Set(['verified_exact_select', 'verified_get_log_keys', 'verified_get_status']);

/** Sends the example of an endpoint. The ids in the path are unknown. */
async function sendExample(endpoint: Endpoint, key: string) {
  const { query: parameters = {} } = endpoint;
  const query = Object.keys(parameters).map((name, index) => `${name}=${index + 1}`);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'sha256' ? '0'.repeat(64) : name === 'version' ? '1.0.0' : randomUUID(),
  );
  return send(`${unlimited.origin}${path}?${query.join('&')}`, endpoint.method, {
    key,
    body: endpoint.request?.examples[0] ?? (endpoint.method === 'POST' ? {} : undefined),
    ...(endpoint.request?.type === undefined ? {} : { type: endpoint.request.type }),
    ...(endpoint.idempotencyKey === undefined ? {} : { idempotencyKey: randomUUID() }),
  });
}

/** Keys of a new tenant, for the roles that endpoints require. */
async function newKeys(): Promise<Readonly<Record<'agent' | 'approver', string>>> {
  return verification.withDatabase('owner', async (database) => {
    const tenantId = await createTenant(database, `store ${randomUUID()}`);
    const issue = async (role: 'agent' | 'approver') => (await issueKey(database, tenantId, role)).key;
    return { agent: await issue('agent'), approver: await issue('approver') };
  });
}

const renameTables = (from: string, to: string) =>
  verification.withDatabase('owner', (database) =>
    sql
      .raw(
        `DO $$ DECLARE found text; BEGIN
           FOR found IN SELECT relname FROM pg_class
             WHERE relnamespace = 'verification'::regnamespace AND relkind = 'r' AND relname LIKE '%${from}' LOOP
             EXECUTE format('ALTER TABLE verification.%I RENAME TO %I', found,
               left(found, length(found) - ${from.length}) || '${to}');
           END LOOP;
         END $$`,
      )
      .execute(database),
  );

test.serial('without its tables, every endpoint and every tool reports an unavailable store', async (t) => {
  const keys = await newKeys();
  const keyFor = (operationId: string) => (OF_APPROVER.has(operationId) ? keys.approver : keys.agent);
  await renameTables('', '_gone');
  t.teardown(() => renameTables('_gone', ''));
  for (const endpoint of endpoints) {
    if (UNSTORED.has(endpoint.operationId)) continue;
    const answer = await sendExample(endpoint, keyFor(endpoint.operationId));
    t.like(answer, { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '1' }, endpoint.operationId);
  }
  for (const { name, endpoint, example } of verifiedTools) {
    // The example of svc_sheet_get is a shipped sheet, which is not in a table.
    if (UNSTORED.has(endpoint.operationId) || name === 'svc_sheet_get') continue;
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: example } };
    const key = keyFor(endpoint.operationId);
    const { json } = await send(`${unlimited.origin}/api/v1/mcp`, 'POST', { key, body: message });
    t.regex(JSON.stringify(json), /\\"code\\":\\"SERVICE_UNAVAILABLE\\"/, name);
  }
});

/** The pids of all processes of the database: of its connections, its background workers and its main process. */
async function databaseProcesses(): Promise<readonly number[]> {
  const { rows } = await verification.withDatabase('owner', (database) =>
    sql<{ pid: number }>`SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()`.execute(database),
  );
  const pids = rows.map(({ pid }) => pid);
  const parents = pids.map((pid) => {
    const status = ignoreGone(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(/^PPid:\s+(\d+)$/m.exec(status ?? '')?.[1] ?? pid);
  });
  return [...new Set([...parents, ...pids])];
}

/** A worker of the server may have ended since it was listed. */
const signal = (pid: number, name: NodeJS.Signals) => ignoreGone(() => process.kill(pid, name));

test.serial(
  'while the database does not respond, requests with and without a key report an unavailable store',
  async (t) => {
    const { agent } = await newKeys();
    const read = (path: string, key?: string) =>
      send(`${unlimited.origin}${path}`, 'GET', key === undefined ? {} : { key });
    const stopped = await databaseProcesses();
    for (const pid of stopped) signal(pid, 'SIGSTOP');
    try {
      const answers = await Promise.all([read(`/api/v1/plans/${randomUUID()}`, agent), read('/api/v1/log/checkpoint')]);
      for (const answer of answers) t.like(answer, { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '1' });
    } finally {
      for (const pid of stopped) signal(pid, 'SIGCONT');
    }
    await until(async () => (await read('/api/v1/log/checkpoint')).status === 200);
  },
);

test.serial('while the database is down, only the status document is available', async (t) => {
  const keys = await newKeys();
  verification.kill('postgres');
  const status = () => send(`${unlimited.origin}/api/v1/status`, 'GET', {});
  const found = await until(async () => {
    const answer = await status();
    return answer.json['status'] === 'NOT_READY' ? answer : undefined;
  });
  t.is(found.status, 200);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_status', arguments: {} } };
  const { json } = await send(`${unlimited.origin}/api/v1/mcp`, 'POST', { key: keys.agent, body: call });
  t.like(json['result'], { structuredContent: { status: 'NOT_READY' } });
  for (const endpoint of endpoints) {
    if (endpoint.isPublic && UNSTORED.has(endpoint.operationId)) continue;
    const answer = await sendExample(endpoint, keys.agent);
    t.like(answer, { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '1' }, endpoint.operationId);
  }
});
