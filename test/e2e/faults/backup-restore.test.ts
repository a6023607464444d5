import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { CommandError } from '../../../scripts/cli/tollhouse/terminal/command.ts';
import { runTollhouse } from '../../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { type Backup, backUpPostgres, backUpRedis } from '../../helpers/base-backup.ts';
import { connectChain } from '../../helpers/chain.ts';
import { CONVERT, post, requirementsOf } from '../../helpers/client.ts';
import { until } from '../../helpers/until.ts';
import { startFaultyStack, type Victim } from './faulty-stack.ts';
import { checkPayments, endLeases, type PaymentLoad, startPaymentLoad } from './payment-load.ts';
import { query, untilQuiet } from './trial-books.ts';
import { eventuallyConfirmed } from './trial-client.ts';
import { assertTrialBooks, type SentTrial, startTrialLoad, type TrialLoad } from './trial-load.ts';

const BODY = { html: '<h1>Backup</h1>' };
/** Trials and payments that must be confirmed in each phase. */
const [ENOUGH_TRIALS, ENOUGH_PAYMENTS] = [12, 3];
const EVERYTHING: readonly Victim[] = ['gateway', 'content', 'payments', 'backoffice', 'redis', 'postgres'];

const stack = await startFaultyStack();
const { accepts } = requirementsOf(await post(stack.url + CONVERT, BODY));
const chain = connectChain(stack.chainUrl, accepts[0].asset);
test.after.always(() => stack.stop());

async function run(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const environment = {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    PAYMENTS_URL: `unix:${stack.runDir}/payments.sock`,
    TOLLHOUSE_OPERATOR: 'drill',
  };
  try {
    await runTollhouse(args, { environment, say: (line) => lines.push(line) });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    lines.push(`failed: ${error.message}`);
  }
  return lines.join('\n');
}

interface Load {
  readonly trials: TrialLoad;
  readonly payments: PaymentLoad;
  /** Waits until more trials and payments are confirmed. */
  more(): Promise<void>;
  stop(): Promise<void>;
}

function startLoad(t: ExecutionContext): Load {
  const [trials, payments] = [startTrialLoad(stack.url, BODY), startPaymentLoad(stack.url, BODY)];
  const stop = async () => {
    await Promise.all([trials.stop(), payments.stop()]);
  };
  t.teardown(stop);
  return {
    trials,
    payments,
    stop,
    async more() {
      const [tried, paid] = [trials.confirmed().length, payments.paid().length];
      await until(async () => {
        const isEnough = trials.confirmed().length >= tried + ENOUGH_TRIALS;
        if (isEnough && payments.paid().length >= paid + ENOUGH_PAYMENTS) return true;
        // Until then, the last answers are the cause of the failure.
        const last = [...trials.sent.slice(-3), ...payments.sent.slice(-3)].map(({ answer }) => answer?.text);
        throw new Error(`after ${tried} trials and ${paid} payments: ${last.join(' ')}`);
      });
    },
  };
}

let backups = 0;
const backUp = (server: 'postgres' | 'redis'): Promise<Backup> => {
  backups += 1;
  const to = join(stack.dataDir, `backup-${backups}`);
  const dataDir = join(stack.dataDir, server);
  return server === 'postgres'
    ? backUpPostgres({ dataDir, url: stack.databaseUrl }, to)
    : backUpRedis({ dataDir, url: stack.redisUrl }, to);
};

const nameOf = (victim: Victim) => (victim === 'gateway' ? 'gateway0' : victim);

async function killAll(): Promise<void> {
  await Promise.all(EVERYTHING.map((victim) => stack.kill(nameOf(victim))));
}

async function startAll(): Promise<void> {
  await Promise.all([stack.start('redis'), stack.start('postgres')]);
  const rest = EVERYTHING.filter((victim) => victim !== 'redis' && victim !== 'postgres');
  await Promise.all(rest.map((victim) => stack.start(nameOf(victim), {}, { withoutTrials: true })));
}

const readReady = createJsonReader(Type.Object({ trials: Type.String() }), 'the answer of /health/ready');

/** Until the operator accepts the database, trials are closed and payments are taken. */
async function assertClosed(t: ExecutionContext): Promise<void> {
  await until(async () => {
    const { trials } = readReady(await (await fetch(`${stack.url}/health/ready`)).text());
    return trials.includes('tollhouse database accept');
  });
  t.regex(await run('database', 'status'), /failed: the database was restored or moved/);
  t.regex(await run('ledger', 'status'), /closed: the database was restored or moved/);
  t.regex(await run('ledger', 'restore', '--reason', 'a drill'), /not restored: the database was restored or moved/);
  t.regex(await run('doctor', '--url', stack.url), /FAILURE {2}postgresql\.identity/);
}

const readAccepted = createJsonReader(
  Type.Object({
    ledgers: Type.Tuple([
      Type.Object({
        condition: Type.String(),
        uncopied: Type.Integer(),
        missing: Type.String(),
        unexplained: Type.String(),
        charged: Type.Array(Type.Unknown()),
      }),
    ]),
  }),
  'the report of database accept',
);

/** Follows docs/operations/backup.md. @returns what the ledger was */
async function accept(t: ExecutionContext, sinceMs: number): Promise<string> {
  const given = ['--reason', 'a drill', '--release-lost-tail', '--json'];
  const { ledgers } = readAccepted(await run('database', 'accept', ...given));
  const acceptedMs = performance.now();
  await eventuallyConfirmed(stack.url, BODY, [], 'the restore');
  const [{ condition, uncopied, missing, unexplained, charged }] = ledgers;
  t.log(
    `ledger ${condition}: ${uncopied} entries only in Redis, ${missing} lost, ${charged.length} charged again, ` +
      `${unexplained} unknown; servers until accepted ${Math.round(acceptedMs - sinceMs)} ms, ` +
      `until the first trial ${Math.round(performance.now() - sinceMs)} ms`,
  );
  t.regex(await run('database', 'status'), /^recorded/);
  return condition;
}

const readReconciled = createJsonReader(
  Type.Object({
    runs: Type.Array(
      Type.Object({
        differences: Type.Object({
          transfersWithoutClaim: Type.Array(Type.Object({ from: Type.String() })),
          claimsWithoutTransfer: Type.Array(Type.Unknown()),
          refundsWithoutTransfer: Type.Array(Type.Unknown()),
          balance: Type.Null(),
        }),
      }),
    ),
  }),
  'the report of payments reconcile',
);

/** Payments must be exact, and reconciliation must list those that the database lost, and nothing else. */
async function assertPayments(t: ExecutionContext, { payments }: Load): Promise<void> {
  const { faults, payers } = await checkPayments({ url: stack.url, body: BODY, chain }, payments.sent);
  t.deepEqual(faults, []);
  await untilQuiet(stack);
  const rows = await query<{ payer: string }>(stack, "SELECT payer FROM payment_claim WHERE outcome = 'settled'");
  const recorded = new Set(rows.map(({ payer }) => payer.toLowerCase()));
  const lost = payers.map((payer) => payer.toLowerCase()).filter((payer) => !recorded.has(payer));
  const [report] = (await run('payments', 'reconcile', '--json')).split('\n');
  const { runs } = readReconciled(String(report));
  const found = runs.flatMap(({ differences }) =>
    differences.transfersWithoutClaim.map(({ from }) => from.toLowerCase()),
  );
  t.deepEqual(found.toSorted(), lost.toSorted());
  for (const { differences } of runs) t.deepEqual(differences.claimsWithoutTransfer, []);
  t.log(`${payers.length} payments, of which the database lost ${lost.length}`);
  t.regex(await run('payments', 'reconcile'), /^(?!.*DIFFERENCE)/s);
}

async function assertTrials(
  t: ExecutionContext,
  { trials }: Load,
  surelyCharged?: readonly SentTrial[],
): Promise<void> {
  await untilQuiet(stack);
  await assertTrialBooks(t, stack, BODY, {
    sent: trials.sent,
    ...(surelyCharged === undefined ? {} : { surelyCharged }),
  });
  t.regex(await run('ledger', 'audit'), /no differences$/);
}

test.serial('PostgreSQL is restored from a backup beside a whole Redis: every trial stays charged', async (t) => {
  const load = startLoad(t);
  await load.more();
  const backup = await backUp('postgres');
  await load.more();
  await stack.kill('postgres');
  await load.stop();
  const startMs = performance.now();
  await backup.restore();
  await stack.start('postgres');
  await endLeases(stack);
  await assertClosed(t);
  t.is(await accept(t, startMs), 'complete');
  await assertTrials(t, load);
  await assertPayments(t, load);
});

for (const order of [['postgres', 'redis'] as const, ['redis', 'postgres'] as const]) {
  const [first, second] = order;
  test.serial(`both are lost, and ${first} has the older backup: what the newer one has is kept`, async (t) => {
    const load = startLoad(t);
    await load.more();
    const older = await backUp(first);
    await load.more();
    const surelyCharged = load.trials.confirmed();
    const newer = await backUp(second);
    await load.more();
    await killAll();
    await load.stop();
    const startMs = performance.now();
    await Promise.all([older.restore(), newer.restore()]);
    await startAll();
    await endLeases(stack);
    t.is(await accept(t, startMs), first === 'postgres' ? 'complete' : 'rolled back');
    await assertTrials(t, load, surelyCharged);
    await assertPayments(t, load);
  });
}
