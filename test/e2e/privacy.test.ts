import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { runTollhouse } from '../../scripts/cli/tollhouse/tollhouse.ts';
import { deleteEndedJobs } from '../../services/backoffice/jobs/job-rows.ts';
import { createDeletion } from '../../services/backoffice/retention/deletion.ts';
import { openLedgerPool } from '../../services/ledger/store/ledger-pool.ts';
import { createLedgerUpkeep } from '../../services/ledger/store/upkeep.ts';
import { SANDBOX_NETWORK } from '../../services/payments/payment/terms.ts';
import { createGasBudget } from '../../services/payments/signer/gas-budget.ts';
import { createLogger } from '../../services/platform/process/logger.ts';
import { replaceUsers } from '../../services/verification/users/embedded-users.ts';
import { defined } from '../../workers/exact/defined.ts';
import { openBuyers } from '../kit/buyers.ts';
import { createWallet, decodePayment } from '../kit/chain.ts';
import { CONVERT, fromBase64, GEOCODE, headerOf, post, REVERSE_GEOCODE } from '../kit/client.ts';
import { withLedger } from '../kit/stack-ledger.ts';
import { placesOf, readStores } from '../kit/stored-texts.ts';
import { catalogued } from '../models/catalogued.ts';
import { REFUND_PLAN } from '../models/refund-plan.ts';
import { SPEND_CAP } from '../models/sheets.ts';
import { daily, reader, transfer } from '../services/verification/catalogue/tools.ts';
import { createJobSteps } from './verified/job-steps.ts';
import { nowText, PLAN } from './verified/refund.ts';
import { startVerifiedStack, type TestTenant } from './verified/verified-stack.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = 32 * DAY_MS;
const logger = createLogger({ name: 'test', level: 'silent' });
const stack = await startVerifiedStack({
  maps: true,
  env: { gateway: { TRUST_PROXY: '127.0.0.1/32', RATE_LIMIT_PER_MINUTE: '600' } },
});
test.after.always(() => stack.stop());
const [origin] = stack.urls;
const buyers = openBuyers(origin);

interface Documented {
  readonly places: readonly string[];
  readonly isKept: boolean;
}

/** The first table of the page: what a copy of everything shows. */
function readPage(): ReadonlyMap<string, Documented> {
  const page = readFileSync(new URL('../../docs/operations/privacy.md', import.meta.url), 'utf8');
  const rows = defined(page.split('|---|---|---|---|\n')[1]).split('\n\n')[0]?.trim().split('\n') ?? [];
  return new Map(
    rows.map((row) => {
      const [, data, places, , duration] = row.split('|').map((cell) => cell.trim());
      const named = Array.from(defined(places).matchAll(/`(.+?)`/g), ([, place]) => defined(place));
      const isKept = /^(Always|Until the next)/.test(defined(duration));
      return [defined(data), { places: named, isKept }] as const;
    }),
  );
}

/** The texts of each kind of data. What the page does not have must be nowhere. */
const texts = new Map<string, Set<string>>();
function note<T extends string>(data: string, text: T): T {
  texts.set(data, (texts.get(data) ?? new Set()).add(text));
  return text;
}
/** A text that occurs nowhere else. */
const noteNew = (data: string) =>
  note(data, `${data.replaceAll(' ', '-').toLowerCase()}-${randomBytes(9).toString('hex')}`);

const client = {
  'x-forwarded-for': note('address', '198.51.100.77'),
  'user-agent': noteNew('user agent'),
  referer: `https://${noteNew('referrer')}.example/`,
};
const send = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  post(origin + path, body, { ...client, ...headers });

async function callByTrial(t: ExecutionContext): Promise<void> {
  const body = { html: `<p>${noteNew('body of a trial')}` };
  const call = await buyers.trial().sign(CONVERT, body);
  note('Wallet of a trial', call.payer);
  const header = { 'sign-in-with-x': note('header of a proof', String(call.headers['sign-in-with-x'])) };
  const proof = Object(fromBase64(header['sign-in-with-x']));
  note('Nonce of a sign-in proof', String(proof['nonce']));
  note('signature of a proof', String(proof['signature']));
  const answer = await send(CONVERT, body, header);
  t.is(answer.status, 200, answer.text);
  note('Id of a request', headerOf(answer, 'x-request-id'));
  t.is((await send(CONVERT, body, header)).status, 401, 'a used proof');
  t.is((await send(CONVERT, body, { 'sign-in-with-x': noteNew('malformed proof') })).status, 400);
  await send(`${CONVERT}?q=${noteNew('query')}`, body);
}

async function callByPayment(t: ExecutionContext): Promise<void> {
  const point = { latitude: 52.517036512, longitude: 13.388859934 };
  for (const number of Object.values(point)) note('body of a payment', String(number));
  const calls = [
    [CONVERT, { html: noteNew('body of a payment') }],
    [GEOCODE, { query: `Berlin ${noteNew('body of a payment')}` }],
    [REVERSE_GEOCODE, point],
  ] as const;
  for (const [path, body] of calls) {
    const { payer, headers } = await (await buyers.exact({ identifier: noteNew('identifier') })).sign(path, body);
    note('Wallet of a payment', payer);
    note('Wallet that named a call', payer);
    const header = String(headers['payment-signature']);
    const answer = await send(path, body, { 'payment-signature': note('header of a payment', header) });
    t.is(answer.status, 200, answer.text);
    const { payload, accepted } = decodePayment(header);
    note('signature of a payment', payload.signature);
    note('Nonce of a payment', payload.authorization.nonce);
    note('Secret of an offer', String(accepted.extra.offerSecret));
    note('request', `POST ${path} ${JSON.stringify(body)}`);
    note('Id of a request', headerOf(answer, 'x-request-id'));
  }
  const poor = await buyers.exact({ wallet: createWallet(), identifier: noteNew('refused identifier') });
  note('refused wallet', poor.wallet.address);
  const unpaid = { html: noteNew('refused body') };
  const refused = await send(CONVERT, unpaid, (await poor.sign(CONVERT, unpaid)).headers);
  t.is(refused.status, 402, refused.text);
  await send(CONVERT, { html: noteNew('refused body') }, { 'payment-signature': noteNew('malformed payment') });
}

async function callByChannel(t: ExecutionContext): Promise<void> {
  const buyer = await buyers.channel();
  note('Payer for whom gas was spent', note('Payer of a channel', buyer.wallet.address));
  for (let count = 0; count < 2; count++) {
    t.is((await buyer.call(CONVERT, { html: noteNew('body of a channel') })).status, 200);
  }
  note('Channel', buyer.channelId);
  await buyer.refund();
}

async function callInVain(): Promise<void> {
  await send(CONVERT, { html: 5, extra: noteNew('refused body') });
  await send(CONVERT, `{"html": "${noteNew('malformed body')}`);
  await fetch(`${origin}/nope?email=${noteNew('query')}`, { headers: client });
  await fetch(`${origin}/${noteNew('path')}`, { headers: client });
  for (const name of ['html_to_markdown', noteNew('unknown tool')]) {
    const params = { name, arguments: { html: noteNew('unpaid body') } };
    const accept = 'application/json, text/event-stream';
    await send('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { accept });
  }
}

/** @returns how to send a check again */
async function verify(t: ExecutionContext): Promise<() => Promise<unknown>> {
  const tenant = await stack.addTenant(noteNew('Name of a tenant'));
  for (const role of ['agent', 'approver'] as const) {
    await stack.owner
      .updateTable('verification.api_key')
      .set({ key_group: note('Caller and answer of a job', noteNew('Group of a key')) })
      .where('tenant_id', '=', tenant.tenantId)
      .where('role', '=', role)
      .execute();
  }
  for (const key of Object.values(tenant.keys)) note('Key of a tenant', key);
  const steps = createJobSteps(stack, tenant);
  const payment = noteNew('Evidence');
  note('Action', payment);
  const { executionId } = await steps.refundWithEvidence(payment);
  const job = await steps.endOf(
    await steps.verify(executionId, note('Idempotency key of a write', noteNew('Idempotency key of a job'))),
  );
  t.is(job.state, 'succeeded');
  const as = { authorization: `Bearer ${tenant.keys.agent}` };
  const expr = ['=', ['var', 'cap'], ['var', 'cap']];
  const plan = {
    ...PLAN,
    title: noteNew('Plan'),
    // A rule that lint names.
    constraints: [{ id: noteNew('Plan'), expr }],
  };
  const created = await send(
    '/api/v1/plans',
    { plan },
    { ...as, 'idempotency-key': noteNew('Idempotency key of a write') },
  );
  t.is(created.status, 201, created.text);
  const { plan_id, plan_hash } = Object(created.json);
  await tenant.approver.post(`/api/v1/plans/${plan_id}/reject`, {
    plan_hash,
    reason: noteNew('Reason of a rejection'),
  });
  await send(
    '/api/v1/plans',
    { plan: { nope: noteNew('refused plan') } },
    { ...as, 'idempotency-key': noteNew('refused key') },
  );
  await send('/api/v1/plans/lint', { plan_text: noteNew('linted plan') }, as);
  const email = note('User of a directory', `ben-${randomBytes(9).toString('hex')}@example.org`);
  const name = note('User of a directory', `Ben${randomBytes(9).toString('hex')}`);
  const user = { id: noteNew('User of a directory'), name, email, active: true };
  await replaceUsers(stack.owner, tenant.tenantId, [user]);
  await fetch(`${origin}/api/v1/users?email=${noteNew('search')}`, { headers: { ...client, ...as } });
  await fetch(`${origin}/api/v1/plans`, { headers: { ...client, authorization: `Bearer ${noteNew('wrong key')}` } });
  await describe(tenant);
  const payments = await approvePayments(tenant);
  await propose(t, payments);
  await pay(t, payments, tenant, steps);
  const [last, key] = [paymentOf(UNRECORDED), noteNew('Idempotency key of a write')];
  const checkAgain = () => payments.check('constraints', last, { key });
  t.is((await checkAgain()).result.verdict, 'satisfied');
  return checkAgain;
}

/** Stores what plans name. */
async function describe({ agent, approver, keys }: TestTenant): Promise<void> {
  await fetch(`${origin}/api/v1/tables`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.agent}`, 'content-type': 'application/jsonl' },
    body: `{"payee":"${noteNew('Table')}"}\n`,
  });
  await approver.post('/api/v1/tools', { tool: reader({ name: noteNew('Tool') }) });
  const sheet = { ...SPEND_CAP, name: 'a-cap', title: noteNew('Sheet') };
  const { name, version, sha256 } = Object(await agent.post('/api/v1/sheets', { sheet }));
  await agent.post('/api/v1/sheets/compose', {
    sheets: [{ name, version, sha256 }],
    save_as: { name: 'a-sum', version, title: noteNew('Sheet') },
  });
}

const UNRECORDED = 'Action that no execution has';
const TOOL = ['Tool', 'Plan', 'Action', UNRECORDED].reduce((text, data) => note(data, text), noteNew('Tool'));

/** A payment that the plan of `approvePayments` allows, unless it is changed. */
function paymentOf(data: string, args = {}) {
  const payee = noteNew(data);
  const known = { invoice: payee, payee, amount: '1.00' };
  return { step_id: 'pay', tool: TOOL, tool_version: '1.0.0', args: { ...known, ...args } };
}

/** Has a plan of payments approved, whose tool has a limit. */
async function approvePayments({ agent, approver, keys }: TestTenant) {
  const tool = transfer({ name: TOOL, limits: [daily({ per: 'payee' })] });
  await approver.post('/api/v1/tools', { tool });
  const where = [{ id: 'own', expr: ['=', ['arg', 'invoice'], ['arg', 'payee']] }];
  const { plan } = catalogued({
    ...REFUND_PLAN,
    expires_at: new Date(Date.now() + DAY_MS).toISOString().replace('Z', '000Z'),
    tools: [tool],
    max_executions: 2,
    reserve: 60,
    variables: {},
    state: {},
    steps: [{ step_id: 'pay', tool: `${TOOL}@1.0.0`, where, after: [], effects: {}, min: 1, max: 1, evidence: [] }],
    constraints: [],
  });
  const { plan_id, plan_hash } = Object(await agent.post('/api/v1/plans', { plan }));
  await approver.post(`/api/v1/plans/${plan_id}/approve`, { plan_hash });
  return {
    named: { plan_id, plan_hash },
    async check(kind: string, action: object, { mode = 'complete', key = noteNew('Idempotency key of a write') } = {}) {
      const body = { plan_id, plan_hash, mode, actions: [action] };
      const as = { authorization: `Bearer ${keys.agent}`, 'idempotency-key': key };
      return Object((await send(`/api/v1/verify/${kind}`, body, as)).json);
    },
  };
}

type Payments = Awaited<ReturnType<typeof approvePayments>>;

/** Checks payments that the plan allows, refuses or cannot read. */
async function propose(t: ExecutionContext, { check }: Payments): Promise<void> {
  const verdicts = new Set<string>();
  for (const kind of ['plan-alignment', 'constraints']) {
    for (const mode of ['complete', 'prefix']) {
      for (const changes of [{}, { step_id: noteNew(UNRECORDED) }, { tool: noteNew(UNRECORDED) }]) {
        for (const args of [{}, { invoice: 'N-1' }, { [noteNew(UNRECORDED)]: 'x' }]) {
          const { result } = await check(kind, { ...paymentOf(UNRECORDED, args), ...changes }, { mode });
          verdicts.add(result.verdict);
        }
      }
    }
  }
  t.deepEqual([...verdicts].toSorted(), ['invalid_input', 'satisfied', 'violated']);
}

/** Records another payment than was checked, so that the verdict quotes it. */
async function pay(
  t: ExecutionContext,
  { named, check }: Payments,
  { agent }: TestTenant,
  { verify, endOf }: ReturnType<typeof createJobSteps>,
): Promise<void> {
  const paid = paymentOf('Action');
  note('Value that a limit counts', note('Caller and answer of a job', paid.args.payee));
  await agent.post('/api/v1/reservations', { ...named, action: paid, run: noteNew('Name of a run') });
  const at = nowText();
  const done = { args: { ...paid.args, invoice: 'N-1' }, response: { id: noteNew('Action') } };
  const { execution_id } = Object(
    await agent.post('/api/v1/executions', {
      ...named,
      alignment_check_id: (await check('plan-alignment', paid)).check_id,
      constraints_check_id: (await check('constraints', paid)).check_id,
      actions: [{ ...paid, ...done, started_at: at, ended_at: at }],
    }),
  );
  const key = note('Idempotency key of a write', noteNew('Idempotency key of a job'));
  t.is((await endOf(await verify(execution_id, key))).answer?.state, 'refuted');
}

async function review(): Promise<void> {
  const requestId = defined([...defined(texts.get('Id of a request'))][0]);
  note('Reviewed request', requestId);
  const environment = { DATABASE_URL: stack.databaseUrl, TOLLHOUSE_DATA: stack.dataDir };
  const reason = noteNew('Reason of an operator');
  await runTollhouse(['retention', 'show', requestId, '--reason', reason], { environment, say: () => {} });
}

/** Lets the recurring work run as of a month later. */
async function passMonth(): Promise<void> {
  const database = stack.owner;
  await sql`CREATE OR REPLACE FUNCTION ledger.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    ${sql.lit(`SELECT clock_timestamp() + interval '${MONTH_MS} ms'`)}`.execute(database);
  const nowMs = Date.now() + MONTH_MS;
  const run = new AbortController().signal;
  await createDeletion({ database, days: 30, now: async () => nowMs, logger })(run);
  await deleteEndedJobs(database, 7 * DAY_MS - MONTH_MS);
  await createGasBudget({ database, network: SANDBOX_NETWORK, now: () => nowMs, logger }).forget();
  const pool = openLedgerPool({
    url: stack.databaseUrl,
    connections: 2,
    statementTimeoutMs: 60_000,
    onError: () => {},
  });
  const options = { pool, logger, sweepEveryMs: 1000, answerDays: 30, monthsKept: 3, clockMs: () => nowMs };
  await withLedger(stack, async (ledger) => {
    for (const job of createLedgerUpkeep({ ...options, ledger })) await job.run(run);
  });
  await pool.end();
}

test('what is stored of callers, and what is left a month later, is what the page says', async (t) => {
  await callByTrial(t);
  await callByPayment(t);
  await callByChannel(t);
  await callInVain();
  const checkAgain = await verify(t);
  await review();
  const page = readPage();
  t.deepEqual(
    [...page.keys()].filter((data) => !texts.has(data)),
    [],
    'every row of the page is tried',
  );
  await compare(t, page, 'now');
  await passMonth();
  await compare(t, new Map([...page].filter(([, { isKept }]) => isKept)), 'a month later');
  t.like(await checkAgain(), { error: { code: 'ALREADY_DONE' } });
});

/** Each text is in no other place than those of its kinds of data, and each place has a text of its kind. */
async function compare(t: ExecutionContext, page: ReadonlyMap<string, Documented>, when: string): Promise<void> {
  const stores = await readStores(stack, stack.owner);
  const all = new Set([...texts.values()].flatMap((those) => [...those]));
  const placesByText = new Map([...all].map((text) => [text, placesOf(stores, text)]));
  const placesWith = (text: string) => defined(placesByText.get(text));
  const placesOfData = (data: string) => page.get(data)?.places ?? [];
  for (const [data, those] of texts) {
    const found = new Set([...those].flatMap(placesWith));
    t.deepEqual(
      placesOfData(data).filter((place) => !found.has(place)),
      [],
      `${data}: not found ${when}`,
    );
    for (const text of those) {
      const kinds = [...texts].flatMap(([name, others]) => (others.has(text) ? [name] : []));
      const documented = new Set(kinds.flatMap(placesOfData));
      t.deepEqual(
        placesWith(text).filter((place) => !documented.has(place)),
        [],
        `${data}: found ${when}`,
      );
    }
  }
}
