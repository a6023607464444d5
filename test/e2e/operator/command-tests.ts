import { randomBytes } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { openLedgerPool } from '../../../services/ledger/store/ledger-pool.ts';
import { createTrialLedger } from '../../../services/ledger/store/trial-ledger.ts';
import type { Database } from '../../../services/store/database.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { createWallet } from '../../kit/chain.ts';
import { CONVERT, headerOf, post, tryOnce } from '../../kit/client.ts';
import { until } from '../../kit/until.ts';
import { commandsOf, type Ended } from '../../scripts/cli/tollhouse/run-command.ts';
import type { OperatorStack } from './operator-stack.ts';

const NETWORK = 'eip155:31337';
const TERMS = {
  grantMicroUsd: 50_000n,
  dailyBudgetMicroUsd: 5_000_000n,
  grantsPerScope: 2,
  failuresPerHour: 0,
};

interface Tested {
  readonly stack: OperatorStack;
  readonly database: Database;
}

const readReservations = createJsonReader(
  Type.Array(Type.Object({ reservationId: Type.String(), wallet: Type.String(), amountMicroUsd: Type.String() })),
  'reservations',
);

/** Tests of commands that stop what others use, by title. */
export const commandTests: Readonly<Record<string, (t: ExecutionContext, tested: Tested) => Promise<void>>> = {
  async 'calls freeze stops new calls until calls unfreeze, and needs a reason'(t, { stack }) {
    const { run } = commandsOf(stack);
    t.regex((await run('calls', 'status')).output, /^not frozen/);
    t.is((await run('calls', 'freeze')).exitCode, 2);
    t.is((await run('calls', 'stop', '--reason', 'x')).exitCode, 2);
    t.regex((await run('calls', 'freeze', '--reason', 'drill')).output, /^frozen: .*\nsince .*: drill$/);
    const statusOfTrials = async () =>
      headerOf(await post(stack.urls[0] + CONVERT, { html: '<p>x' }), 'x-trial-status');
    await until(async () => (await statusOfTrials()) === 'unavailable');
    t.regex((await run('calls', 'status')).output, /^frozen/);
    t.regex((await run('calls', 'unfreeze', '--reason', 'over')).output, /^not frozen\nsince .*: over$/);
    await until(async () => (await statusOfTrials()) === 'challenge');
    t.is(await statusOfTrials(), 'challenge');
  },

  async 'reservations list prints what a stopped gateway has left open'(t, { stack }) {
    const { run } = commandsOf(stack);
    const wallet = createWallet();
    // The conversion cannot end, so the reservation stays open.
    stack.signal('content', 'SIGSTOP');
    const answer = tryOnce(stack.urls[0], { html: '<h1>Open</h1>' }, wallet).catch(() => undefined);
    let open: ReturnType<typeof readReservations> = [];
    const isOpen = async () => {
      open = readReservations((await run('reservations', 'list', '--json')).output);
      return open.length > 0;
    };
    await until(isOpen);
    t.like(defined(open[0]), { wallet: wallet.address.toLowerCase(), amountMicroUsd: '3000' });
    stack.signal('content', 'SIGCONT');
    await answer;
    t.is((await run('reservations', 'list')).output, 'none');
  },

  async 'grants list counts new wallets by network, and grants reset lets a network go on'(t, { stack }) {
    const { run } = commandsOf(stack);
    const pool = openLedgerPool({
      url: stack.databaseUrl,
      connections: 1,
      statementTimeoutMs: 60_000,
      onError: () => {},
    });
    t.teardown(() => pool.end());
    const ledger = createTrialLedger({ pool, network: NETWORK, terms: TERMS, monotonicMs: () => performance.now() });
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
        lockLeftMs: 60_000,
      });
      return state;
    };
    const outcomes: string[] = [];
    for (const scope of ['192.0.2.0/24', '192.0.2.0/24', '192.0.2.0/24', '2001:db8::/48']) {
      outcomes.push(await reserve(scope));
    }
    t.deepEqual(outcomes, ['reserved', 'reserved', 'grants_exhausted', 'reserved']);
    const rowsOf = ({ output }: Ended) => output.split('\n').map((line) => line.split(/ +/));
    const first = [
      ['NETWORK', 'SCOPE', 'GRANTS'],
      [NETWORK, '192.0.2.0/24', '2'],
    ];
    t.deepEqual(rowsOf(await run('grants', 'list')), [...first, [NETWORK, '2001:db8::/48', '1']]);
    t.deepEqual(rowsOf(await run('grants', 'list', '--limit', '1')), first);
    t.regex((await run('grants', 'reset', '192.0.2.0/24', '--reason', 'a fair')).output, /had 2 grants today/);
    t.is(await reserve('192.0.2.0/24'), 'reserved');
    t.is((await run('grants', 'reset', '198.51.100.0/24', '--reason', 'nobody')).exitCode, 1);
    t.regex((await run('acts', '--subject', '192.0.2.0/24')).output, /grants\.reset +192\.0\.2\.0\/24 +\{\} +a fair$/);
  },

  async 'doctor warns of days that are kept too long'(t, { stack, database }) {
    await sql`CREATE TABLE retained_body_20200101 PARTITION OF retained_body
      FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')`.execute(database);
    const { findings } = await commandsOf(stack).doctor();
    await sql`DROP TABLE retained_body_20200101`.execute(database);
    const overdue = findings.find(({ check }) => check === 'retention.deletion');
    t.like(overdue, { level: 'warning' });
    t.regex(String(overdue?.found), /RETENTION_DAYS=30: 2020-01-01/);
  },

  async 'data of a later release is refused, and doctor and /health/ready say so'(t, { stack, database }) {
    const { doctor } = commandsOf(stack);
    const healthOf = async () => (await fetch(`${stack.urls[0]}/health/ready`)).text();
    const untilFaults = async (wanted: readonly string[], health: RegExp) => {
      await until(async () => health.test(await healthOf()));
      // This stack has no maps and no verification.
      const expected = [...wanted, 'service.maps', 'service.verification'].toSorted().join();
      return until(async () => (await doctor()).faults.toSorted().join() === expected);
    };
    await sql`UPDATE ledger.epoch SET format = 2`.execute(database);

    const faults = ['ledger.state', 'gateway.trials', 'gateway.payments', 'service.payments'];
    t.true(await untilFaults(faults, /"trials":"later_format: .*"payments":"later_format: /));
    const { findings } = await doctor();
    const foundAt = (check: string) => String(findings.find((each) => each.check === check)?.found);
    t.regex(foundAt('ledger.state'), /^later_format: /);

    await sql`UPDATE ledger.epoch SET format = 1`.execute(database);
    t.true(await untilFaults([], /"trials":"available","payments":"available"/));
  },
};
