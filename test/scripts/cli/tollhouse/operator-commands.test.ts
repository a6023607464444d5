import test from 'ava';
import { Type } from 'typebox';
import { reportOf, runTollhouse } from '../../../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { waitFor } from '../../../../scripts/launch/processes/wait-for.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../helpers/chain.ts';
import { tryOnce } from '../../../helpers/client.ts';
import { type Stack, startStack } from '../../../helpers/stack.ts';

let stack: Stack;
test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.stop());

/** Runs a command against the servers of the stack. */
async function run(...args: readonly string[]) {
  const lines: string[] = [];
  const environment = { DATABASE_URL: stack.databaseUrl, REDIS_URL: stack.redisUrl, TOLLHOUSE_DATA: stack.dataDir };
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
  return { exitCode, faults: findings.filter(({ level }) => level !== 'ok').map(({ check }) => check) };
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

for (const args of [
  ['wallet', 'show', '0x12'],
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

test.serial('doctor reports servers that do not answer', async (t) => {
  await Promise.all([stack.kill('redis'), stack.kill('postgres')]);
  const { exitCode, faults } = await doctor();
  t.is(exitCode, 1);
  for (const check of ['postgresql', 'redis']) t.true(faults.includes(check), faults.join());
});
