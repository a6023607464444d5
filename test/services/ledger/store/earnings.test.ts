import test from 'ava';
import { dropEntries } from '../../../../services/ledger/store/partitions.ts';
import { groupEarnings, netMicroUsd, readEarnings } from '../../../../services/store/earnings.ts';
import { until } from '../../../kit/until.ts';
import { newChannel, newCharge } from '../channel-fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, type OpenLedger, openTrialLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2030, 0, 30, 12);
const PRICE = 1000n;
const never = new AbortController().signal;

/** A payment that was settled, as the functions of claims leave it. */
const SETTLED = `
  INSERT INTO ledger.payment_claim (claim_id, network, asset, payer, pay_to, nonce, amount, valid_before_s, digest,
    fingerprint, offer_secret_hash, state, epoch, lease_until, is_final, payment_response, created_at, settled_at, transaction,
    operation, lost_at, lost_reason)
  SELECT gen_random_uuid(), $1, a, a, a, n, $2, 0, 'd', 'f', 's', 'settled', 0, '-infinity', true, '{}', ledger.clock(),
    ledger.clock(), n, $3, $4, CASE WHEN $4::timestamptz IS NOT NULL THEN 'removed' END
  FROM (SELECT '0x' || repeat('1', 40) AS a, '0x' || md5(random()::text) || md5(random()::text) AS n) AS made
  RETURNING claim_id, transaction`;

async function setUp(t: Parameters<typeof openTrialLedger>[0]) {
  // What was summed is summed for all networks.
  const database = await createLedgerDatabase();
  t.teardown(() => database.stop());
  const ledger = openTrialLedger(t, database, {});
  await ledger.setClock(FIRST_MS);
  const settle = async (operation: string | null, lostAt: Date | null = null) =>
    (await ledger.query(SETTLED, [ledger.network, PRICE, operation, lostAt]))[0];
  const read = async () => {
    const rows = (await readEarnings(database.database)).filter(({ network }) => network === ledger.network);
    return rows.map(({ day, scheme, operation, ...sums }) => {
      const { calls, soldMicroUsd, settledMicroUsd, claimableMicroUsd, refundedMicroUsd, gasWei, unknownGas } = sums;
      const money = [soldMicroUsd, settledMicroUsd, claimableMicroUsd, refundedMicroUsd].map(Number);
      return [day, scheme, operation, Number(calls), ...money, Number(gasWei), Number(unknownGas)];
    });
  };
  /** Sums past days, and drops months that are no longer kept. It gives up while others use the tables. */
  const sum = (callerMs = Date.UTC(2040, 0, 1)) =>
    until(() => dropEntries({ pool: ledger.pool, monthsKept: 1, clockMs: () => callerMs }, never).then(() => true));
  return { database, ledger, settle, read, sum };
}

async function charge(ledger: OpenLedger, channelId: string, nth: bigint, operation: string): Promise<void> {
  const { reservationId } = newTrial({ nowMs: FIRST_MS });
  const amounts = { amountMicroUsd: PRICE, cumulativeMicroUsd: nth * PRICE };
  await ledger.charge(newCharge({ reservationId, channelId, operation, ...amounts, deadlineMs: FIRST_MS + DAY_MS }));
  await ledger.post(newAnswer({ reservationId }));
}

test('sales are sums of claims and charges, without trials and lost payments, also when their entries are dropped', async (t) => {
  const { database, ledger, settle, read, sum } = await setUp(t);
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: 10n * PRICE });
  await charge(ledger, channelId, 1n, 'geocode');
  await charge(ledger, channelId, 2n, 'html-to-markdown');
  await charge(ledger, channelId, 3n, 'geocode');
  const trial = newTrial({ amountMicroUsd: PRICE, nowMs: FIRST_MS });
  await ledger.reserve(trial);
  await ledger.post(newAnswer(trial));
  const paid = await settle('geocode');
  await settle(null);
  await settle('geocode', new Date(FIRST_MS));
  await ledger.query(
    `INSERT INTO payment_refund (claim_id, network, asset, payee, payer, amount, transaction, block_number,
      log_index, finalized_at)
    VALUES ($1, $2, '', '', '', $3, '0x', 1, 0, ledger.clock() + interval '1 day')`,
    [paid?.['claim_id'], ledger.network, PRICE],
  );
  await ledger.query(
    `INSERT INTO signer_transaction (network, hash, first_hash, signer, nonce, scheme, cost_wei, known_at)
    VALUES ($1, $2, $2, '0x' || repeat('2', 40), 0, 'exact', 7, ledger.clock())`,
    [ledger.network, paid?.['transaction']],
  );
  await ledger.setClock(FIRST_MS + DAY_MS);
  await ledger.show(channelId, { balanceMicroUsd: 10n * PRICE, claimedMicroUsd: PRICE });

  const [one, two] = ['2030-01-30', '2030-01-31'];
  const expected = [
    [one, 'batch-settlement', 'geocode', 2, 2000, 0, 0, 0, 0, 0],
    [one, 'batch-settlement', 'html-to-markdown', 1, 1000, 0, 0, 0, 0, 0],
    [one, 'exact', '-', 0, 0, 0, 0, 0, 7, 0],
    [one, 'exact', 'geocode', 1, 1000, 1000, 0, 0, 0, 1],
    [one, 'exact', 'unknown', 1, 1000, 1000, 0, 0, 0, 1],
    [two, 'batch-settlement', '-', 0, 0, 1000, 0, 0, 0, 0],
    [two, 'exact', 'geocode', 0, 0, 0, 0, 1000, 0, 0],
    [null, 'batch-settlement', '-', 0, 0, 0, 2000, 0, 0, 0],
  ];
  t.deepEqual(await read(), expected);
  for (const days of [1, 2, 3, 45, 100]) {
    await ledger.setClock(FIRST_MS + days * DAY_MS);
    await sum();
    t.deepEqual(await read(), expected, `after ${days} days`);
  }
  t.deepEqual(await ledger.query('SELECT count(*) AS entries FROM ledger.entry'), [{ entries: 0n }]);

  const earned = await readEarnings(database.database);
  const [total] = groupEarnings(earned, []);
  t.like(total, { calls: 5n, soldMicroUsd: 5n * PRICE, settledMicroUsd: 3n * PRICE, claimableMicroUsd: 2n * PRICE });
  t.is(total && netMicroUsd(total), 4n * PRICE);
  t.deepEqual(
    groupEarnings(earned, ['scheme']).map(({ of, soldMicroUsd }) => [...of, soldMicroUsd]),
    [
      ['batch-settlement', 3n * PRICE],
      ['exact', 2n * PRICE],
    ],
  );
});

test('a day is summed once it is over by both clocks, and what comes later is added', async (t) => {
  const { ledger, settle, read, sum } = await setUp(t);
  const sums = async () => (await ledger.query('SELECT sum(sold) AS sold FROM ledger.earning'))[0]?.['sold'];
  await settle('geocode');
  await sum();
  t.is(await sums(), null);
  await ledger.setClock(FIRST_MS + 2 * DAY_MS);
  await sum(FIRST_MS + DAY_MS);
  t.is(await sums(), null, 'the clock of the server may be ahead');
  await sum();
  await sum();
  t.is(await sums(), '1000');
  await settle('geocode');
  t.deepEqual(
    (await read()).map(([day, , , calls, sold]) => [day, calls, sold]),
    [
      ['2030-01-30', 1, 1000],
      ['2030-02-01', 1, 1000],
    ],
  );
});

test('what a channel holds for its charges is no more than its balance', async (t) => {
  const { ledger, read } = await setUp(t);
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: 10n * PRICE });
  for (const nth of [1n, 2n, 3n]) await charge(ledger, channelId, nth, 'geocode');
  for (const [balance, claimed, claimable] of [
    [10n, 0n, 3000],
    [2n, 0n, 2000],
    [2n, 2n, 0],
    [0n, 2n, 0],
  ] as const) {
    await ledger.show(channelId, { balanceMicroUsd: balance * PRICE, claimedMicroUsd: claimed * PRICE });
    t.is((await read()).at(-1)?.[6], claimable);
  }
});
