import { randomBytes } from 'node:crypto';
import test from 'ava';
import pg from 'pg';
import { Type } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { reportOf, runTollhouse } from '../../../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { waitFor } from '../../../../scripts/launch/processes/wait-for.ts';
import { createRedisLedger } from '../../../../services/ledger/redis/redis-ledger.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../helpers/chain.ts';
import { CONVERT, codeOf, post, tryOnce } from '../../../helpers/client.ts';
import { type Stack, startStack } from '../../../helpers/stack.ts';

const NETWORK = 'eip155:31337';
let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

/** Runs a command against the servers of the stack. */
async function run(...args: readonly string[]) {
  const lines: string[] = [];
  const environment = {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    TOLLHOUSE_DATA: stack.dataDir,
    PAYMENTS_URL: `unix:${stack.runDir}/payments.sock`,
  };
  try {
    await runTollhouse(args, { environment, say: (line) => lines.push(line) });
    return { exitCode: 0, output: lines.join('\n'), errors: '' };
  } catch (error) {
    const { message, exitCode } = reportOf(error);
    return { exitCode, output: lines.join('\n'), errors: String(message) };
  }
}

const readFindings = createJsonReader(
  Type.Array(Type.Object({ check: Type.String(), level: Type.String(), found: Type.String() })),
  'findings',
);
const doctor = async () => {
  const { exitCode, output } = await run('doctor', '--url', stack.urls[0], '--json');
  const findings = readFindings(output);
  return { exitCode, findings, faults: findings.filter(({ level }) => level !== 'ok').map(({ check }) => check) };
};
/** Waits until doctor finds these faults, besides the services that this stack lacks. */
const untilFaults = (wanted: readonly string[]) => {
  const expected = [...wanted, 'service.maps', 'service.verification'].toSorted().join();
  return waitFor(async () => (await doctor()).faults.toSorted().join() === expected, { timeoutMs: 30_000 });
};

test.serial('doctor names the services that do not serve, and nothing else', async (t) => {
  t.true(await untilFaults([]));
  t.is((await doctor()).exitCode, 1);
  await stack.kill('content');
  t.true(await untilFaults(['service.content']));
  await stack.start('content');
  t.true(await untilFaults([]));
});

const Account = Type.Object({ balanceMicroUsd: Type.String(), spentMicroUsd: Type.String() });
const readAccounts = createJsonReader(
  Type.Array(Type.Object({ network: Type.String(), account: Type.Union([Account, Type.Null()]) })),
  'accounts',
);

test.serial('wallet show prints what a wallet has spent, and that a stranger has no account', async (t) => {
  const wallet = createWallet();
  t.is((await tryOnce(stack.urls[0], { html: '<h1>Credit</h1>' }, wallet)).status, 200);
  const [found] = readAccounts((await run('wallet', 'show', wallet.address, '--json')).output);
  t.like(found, { network: 'eip155:31337', account: { balanceMicroUsd: '47000', spentMicroUsd: '3000' } });
  t.regex(
    (await run('wallet', 'show', wallet.address.toLowerCase())).output,
    /balance 47000 {2}reserved 0 {2}spent 3000/,
  );
  t.regex((await run('wallet', 'show', createWallet().address)).output, /no account/);
});

test.serial('calls freeze stops new calls until calls unfreeze, and needs a reason', async (t) => {
  t.regex((await run('calls', 'status')).output, /^not frozen$/);
  t.is((await run('calls', 'freeze')).exitCode, 2);
  t.is((await run('calls', 'stop', '--reason', 'x')).exitCode, 2);
  t.regex((await run('calls', 'freeze', '--reason', 'drill')).output, /^frozen: .*\nsince .*: drill$/);
  const call = () => post(stack.urls[0] + CONVERT, { html: '<p>x' });
  while ((await call()).status !== 503);
  t.is(codeOf(await call()), 'CALLS_FROZEN');
  t.regex((await run('calls', 'status')).output, /^frozen/);
  t.regex((await run('calls', 'unfreeze', '--reason', 'over')).output, /^not frozen\nsince .*: over$/);
  while ((await call()).status !== 402);
  t.pass();
});

const readReservations = createJsonReader(
  Type.Array(Type.Object({ reservationId: Type.String(), wallet: Type.String(), amountMicroUsd: Type.String() })),
  'reservations',
);

test.serial('reservations list prints what a stopped gateway has left open', async (t) => {
  const wallet = createWallet();
  // The conversion cannot end, so the reservation stays open.
  stack.signal('content', 'SIGSTOP');
  const answer = tryOnce(stack.urls[0], { html: '<h1>Open</h1>' }, wallet).catch(() => undefined);
  let open: ReturnType<typeof readReservations> = [];
  while (open.length === 0) open = readReservations((await run('reservations', 'list', '--json')).output);
  t.like(defined(open[0]), { wallet: wallet.address.toLowerCase(), amountMicroUsd: '3000' });
  stack.signal('content', 'SIGCONT');
  await answer;
  t.is((await run('reservations', 'list')).output, '');
});

test.serial('grants list counts new wallets by network, and grants reset lets a network go on', async (t) => {
  const ledger = createRedisLedger({ url: stack.redisUrl, network: NETWORK, grantsPerScope: 2 });
  t.teardown(() => ledger.close());
  const reserve = async (grantScope: string) => {
    const nowMs = Date.now();
    const { state } = await ledger.reserve({
      reservationId: uuidv7(),
      wallet: createWallet().address,
      nonce: randomBytes(16).toString('hex'),
      expirationTimeMs: nowMs + 60_000,
      deadlineMs: nowMs + 60_000,
      operation: 'geocode',
      amountMicroUsd: 1000n,
      grantScope,
    });
    return state;
  };
  t.is(await waitFor(async () => (await ledger.check()).ok, { timeoutMs: 10_000 }), true);
  const outcomes: string[] = [];
  for (const scope of ['192.0.2.0/24', '192.0.2.0/24', '192.0.2.0/24', '2001:db8::/48']) {
    outcomes.push(await reserve(scope));
  }
  t.deepEqual(outcomes, ['reserved', 'reserved', 'grants_exhausted', 'reserved']);
  t.is((await run('grants', 'list')).output, `${NETWORK}  192.0.2.0/24  2\n${NETWORK}  2001:db8::/48  1`);
  t.is((await run('grants', 'list', '--limit', '1')).output, `${NETWORK}  192.0.2.0/24  2`);
  t.regex((await run('grants', 'reset', '192.0.2.0/24', '--reason', 'a fair')).output, /had 2 grants today/);
  t.is(await reserve('192.0.2.0/24'), 'reserved');
  t.is((await run('grants', 'reset', '198.51.100.0/24', '--reason', 'nobody')).exitCode, 1);
  t.regex(
    (await run('acts', '--subject', '192.0.2.0/24')).output,
    /grants\.reset {2}192\.0\.2\.0\/24 {2}\{\} {2}a fair$/,
  );
});

test.serial('jobs retry makes a waiting job due, and refuses any other', async (t) => {
  const [waiting, ended] = [uuidv7(), uuidv7()];
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  const tenant = uuidv7();
  const insert = `INSERT INTO job (job_id, tenant_id, idempotency_key, caller, work, state, due_at, ended_at, error_code,
    error_message) VALUES ($1, $2, $7, '{}', '{}', $3, $4, $5, $6, $6)`;
  await client.query(insert, [waiting, tenant, 'queued', new Date(Date.now() + 3_600_000), null, null, 'a']);
  await client.query(insert, [ended, tenant, 'failed', null, new Date(), 'INTERNAL', 'b']);
  t.is((await run('jobs', 'retry', waiting)).output, `${waiting} is due now`);
  const { rows } = await client.query('SELECT due_at <= clock_timestamp() AS is_due FROM job WHERE job_id = $1', [
    waiting,
  ]);
  t.deepEqual(rows, [{ is_due: true }]);
  t.regex((await run('jobs', 'retry', ended)).errors, /it is failed/);
  t.regex((await run('jobs', 'retry', uuidv7())).errors, /there is no job/);
  t.regex((await run('acts', '--subject', waiting)).output, /jobs\.retry/);
});

test.serial(
  'doctor reads the gas of the signer and the copy of the ledger, and warns of days kept too long',
  async (t) => {
    const findings = async () => readFindings((await run('doctor', '--url', stack.urls[0], '--json')).output);
    const before = await findings();
    for (const check of ['payments.gas', 'ledger.state', 'ledger.copy', 'retention.deletion']) {
      t.is(before.find((finding) => finding.check === check)?.level, 'ok', check);
    }
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    t.teardown(() => client.end());
    await client.query(
      "CREATE TABLE retained_body_20200101 PARTITION OF retained_body FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')",
    );
    const overdue = (await findings()).find(({ check }) => check === 'retention.deletion');
    t.like(overdue, { level: 'warning' });
    t.regex(String(overdue?.found), /RETENTION_DAYS=30: 2020-01-01/);
    await client.query('DROP TABLE retained_body_20200101');
  },
);

test.serial('the metrics of the gateway have the lag of the copied journal', async (t) => {
  const lag = async () => {
    const text = await (await fetch(`${stack.urls[0]}/metrics`)).text();
    return /^tollhouse_ledger_uncopied_entries (\d+)$/m.exec(text)?.[1];
  };
  t.true(await waitFor(async () => (await lag()) === '0', { timeoutMs: 10_000 }));
});

for (const args of [
  ['wallet', 'show', '0x12'],
  ['grants', 'reset', 'everywhere', '--reason', 'x'],
  ['grants', 'reset', '192.0.2.0/24'],
  ['jobs', 'retry', 'nothing'],
  ['wallet', 'list'],
  ['reservations', 'resolve'],
  ['obligations', 'retry', 'nothing'],
  ['jobs', 'list', '--limit', '0'],
  ['doctor', '--fast'],
]) {
  test.serial(`tollhouse ${args.join(' ')} is refused with exit code 2`, async (t) => {
    const { exitCode, output } = await run(...args);
    t.deepEqual({ exitCode, output }, { exitCode: 2, output: '' });
  });
}

test.serial('an obligation that does not exist cannot be retried', async (t) => {
  t.is((await run('obligations', 'list')).output, '');
  const { exitCode, errors } = await run('obligations', 'retry', '019aab00-0000-7000-8000-000000000000');
  t.is(exitCode, 1);
  t.regex(errors, /there is no open obligation/);
});

test.serial('data of a later release is refused, and doctor, ledger status and /health/ready say so', async (t) => {
  const client = await createRedisClient({ url: stack.redisUrl }).connect();
  t.teardown(() => client.destroy());
  const [meta, claims] = ['tollhouse:{eip155:31337}:meta', 'tollhouse:{eip155:31337}:claims'];
  const stored = String(await client.get(meta));
  await client.set(meta, `${stored}|2`);
  await client.hSet(claims, 'format', '2');

  t.true(
    await untilFaults(['claims.format', 'ledger.state', 'gateway.trials', 'gateway.payments', 'service.payments']),
  );
  const { findings } = await doctor();
  const foundAt = (check: string) => String(findings.find((each) => each.check === check)?.found);
  t.regex(foundAt('ledger.state'), /later_format: the data of the ledger in Redis has format 2/);
  t.regex(foundAt('claims.format'), /later_format: the data of the claims in Redis has format 2/);
  t.regex(foundAt('redis.functions'), /^tollhouse_claims_[0-9a-f]{10} \(this release, in use now\); tollhouse_ledger_/);
  const status = await run('ledger', 'status');
  t.is(status.exitCode, 1);
  t.regex(status.output, /closed: later_format: .* run the later release, or restore Redis/);
  const health = await (await fetch(`${stack.urls[0]}/health/ready`)).text();
  t.regex(health, /"trials":"later_format: .*"payments":"later_format: /);

  await client.set(meta, stored);
  await client.hDel(claims, 'format');
  t.true(await untilFaults([]));
});

test.serial('doctor reports servers that do not answer', async (t) => {
  await Promise.all([stack.kill('redis'), stack.kill('postgres')]);
  const { exitCode, faults } = await doctor();
  t.is(exitCode, 1);
  for (const check of ['postgresql', 'redis']) t.true(faults.includes(check), faults.join());
});
