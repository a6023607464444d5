import test from 'ava';
import pg from 'pg';
import { Type } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { createWallet } from '../../../kit/chain.ts';
import { tryOnce } from '../../../kit/client.ts';
import { useSharedStack } from '../../../kit/shared-stack.ts';
import { until } from '../../../kit/until.ts';
import { commandsOf } from './run-command.ts';

const stack = await useSharedStack();
const { run } = commandsOf(stack);
test.after.always(() => stack.stop());

test('doctor finds nothing wrong with a stack that serves', async (t) => {
  const { doctor } = commandsOf(stack);
  await until(async () => (await doctor()).exitCode === 0);
  const { findings } = await doctor();
  for (const check of [
    'redis.version',
    'redis.memory',
    'payments.gas',
    'payments.lost-gas',
    'ledger.functions',
    'ledger.reservations',
    'retention.deletion',
  ]) {
    t.is(findings.find((finding) => finding.check === check)?.level, 'ok', check);
  }
});

const Account = Type.Object({ balanceMicroUsd: Type.String(), spentMicroUsd: Type.String() });
const readAccounts = createJsonReader(
  Type.Array(Type.Object({ network: Type.String(), account: Type.Union([Account, Type.Null()]) })),
  'accounts',
);

test('wallet show prints what a wallet has spent, and that a stranger has no account', async (t) => {
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

test('jobs retry makes a waiting job due, and refuses any other', async (t) => {
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
  // It may have been taken already, and wait for its next attempt.
  const isSooner = `SELECT state <> 'queued' OR due_at <= clock_timestamp() + interval '30 minutes' AS is_sooner
    FROM job WHERE job_id = $1`;
  t.deepEqual((await client.query(isSooner, [waiting])).rows, [{ is_sooner: true }]);
  t.regex((await run('jobs', 'retry', ended)).errors, /it is failed/);
  t.regex((await run('jobs', 'retry', uuidv7())).errors, /there is no job/);
  t.regex((await run('acts', '--subject', waiting)).output, /jobs\.retry/);
});

test('calls forget-key lets the key of the next gateway count', async (t) => {
  const reason = ['--reason', 'the key was lost'];
  t.is((await run('calls', 'forget-key', ...reason)).output, 'the FINGERPRINT_KEY of the next gateway counts');
  const adopted = async () =>
    (await run('acts', '--subject', 'fingerprint-key')).output.match(/no key was known/g)?.length;
  await until(async () => Number(await adopted()) >= 2);
  t.is((await run('calls', 'forget-key')).exitCode, 2, 'without a reason');
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
  test(`tollhouse ${args.join(' ')} is refused with exit code 2`, async (t) => {
    const { exitCode, output } = await run(...args);
    t.deepEqual({ exitCode, output }, { exitCode: 2, output: '' });
  });
}

test('an obligation that does not exist cannot be retried', async (t) => {
  t.is((await run('obligations', 'list')).exitCode, 0);
  const { exitCode, errors } = await run('obligations', 'retry', '019aab00-0000-7000-8000-000000000000');
  t.is(exitCode, 1);
  t.regex(errors, /there is no open obligation/);
});
