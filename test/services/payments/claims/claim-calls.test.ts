import test from 'ava';
import type { Hex } from 'viem';
import { openLedgerPool, runStatement } from '../../../../services/ledger/store/ledger-pool.ts';
import { createClaimsGate } from '../../../../services/payments/claims/claims-gate.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createWallet } from '../../../kit/chain.ts';
import { connected } from '../../../kit/owned-database.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { answerOf, attempt, FAILED, leased, newDetails, openClaims, SETTLED, SIGNED } from './claims-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());
const logger = createLogger({ name: 'test', level: 'silent' });

for (const [name, changes] of [
  ['with all of its fields', { paymentIdentifierHash: 'i1' }],
  ['without the fields that it may lack', { fromBlock: undefined }],
] as const) {
  test(`a claim ${name} is found by its payment and by its id`, async (t) => {
    const { claims, start, found } = await openClaims(t, database);
    const claim = newDetails(createWallet().address, changes);
    t.is(await claims.findById(claim.claimId), undefined);
    t.is(await claims.open(claim, leased()), 'opened');
    const opened = { ...claim, state: 'executing', isLeased: true, transaction: undefined, final: false } as const;
    const withoutAnswer = { ...opened, paymentResponseJson: undefined };
    t.deepEqual(await found(claim), withoutAnswer);
    t.deepEqual(await claims.findById(claim.claimId), withoutAnswer);
    const { attemptId, leaseMs } = attempt();
    t.like(await start(claim, { attemptId, leaseMs }), { kind: 'started' });
    const transaction: Hex = `0x${'C'.repeat(64)}`;
    t.false(await claims.noteTransaction(claim, attempt().attemptId, transaction, SIGNED), 'another one has the lease');
    t.true(await claims.noteTransaction(claim, attemptId, transaction, SIGNED));
    t.true(await claims.finish(claim, attemptId, { ...SETTLED, transaction }));
    const { paymentResponseJson } = SETTLED;
    const ended = { state: 'settled', final: true, isLeased: false, paymentResponseJson } as const;
    t.deepEqual(await found(claim), { ...opened, ...ended, transaction: `0x${'c'.repeat(64)}` });
  });
}

for (const hasChain of [true, false]) {
  test(`what a payer caused is counted once, ${hasChain ? 'with' : 'without'} a chain`, async (t) => {
    const { claims, begun } = await openClaims(t, database, { hasChain });
    const payer = createWallet().address;
    const fail = async (isPayersFault: boolean) => {
      const { claim, attemptId } = await begun({ payer });
      const result = { ...FAILED, final: hasChain, isPayersFault };
      t.true(await claims.finish(claim, attemptId, result));
      t.false(await claims.finish(claim, attemptId, result), 'it is kept');
    };
    for (const isPayersFault of [true, true, false, true, true]) await fail(isPayersFault);
    t.false((await claims.payerState(payer)).isThrottled);
    await fail(true);
    t.true((await claims.payerState(payer)).isThrottled);
  });
}

test('eight callers wait for one key, and one that leaves makes room', async (t) => {
  const { claims } = await openClaims(t, database);
  const enterAll = (key: string) => Array.from({ length: 8 }, () => claims.enterQueues([key]));
  const leave = enterAll('a');
  t.false(leave.includes(undefined));
  t.is(claims.enterQueues(['a']), undefined);
  t.is(claims.enterQueues(['b', 'a']), undefined);
  const others = enterAll('b');
  t.false(others.includes(undefined), 'who found no place has taken none');
  leave[0]?.();
  t.not(claims.enterQueues(['a']), undefined);
  t.is(claims.enterQueues(['a']), undefined);
  t.not(claims.enterQueues([]), undefined);
});

test('claims may be opened while the database is well', async (t) => {
  const { url } = database;
  const pool = openLedgerPool({ url, connections: 1, statementTimeoutMs: 60_000, onError: () => {} });
  const claimsGate = createClaimsGate({ pool, clockToleranceMs: 86_400_000, checkEveryMs: 600_000, logger });
  t.teardown(async () => {
    claimsGate.close();
    await pool.end();
  });
  const closedBy = (reason: RegExp) => {
    const error = t.throws(() => claimsGate.admit(), { instanceOf: ServiceError });
    t.is(error.code, 'PAYMENT_UNAVAILABLE');
    t.regex(error.message, /^payments are not available: /);
    t.regex(error.message, reason);
  };
  closedBy(/./);
  t.deepEqual(await claimsGate.check(), { ok: true });
  t.notThrows(() => claimsGate.admit());
  await pool.query("SET default_transaction_isolation = 'serializable'");
  t.like(await claimsGate.check(), { ok: false });
  closedBy(/isolation of the database is not read committed/);
  await pool.query('RESET default_transaction_isolation');
  t.deepEqual(await claimsGate.check(), { ok: true });
  t.notThrows(() => claimsGate.admit());
  const full = runStatement(pool, "DO $$ BEGIN RAISE 'full' USING ERRCODE = '53100'; END $$", []);
  await t.throwsAsync(claimsGate.guard(full));
  closedBy(/the disk of the database is full/);
});

for (const [name, raise, tries] of [
  ['whose answer is not sure is asked for once more', "WARNING 'not on the standby' USING ERRCODE = '01000'", 2],
  ['that is refused is not asked for again', "EXCEPTION 'full' USING ERRCODE = '53100'", 1],
] as const) {
  test(`a claim ${name}`, async (t) => {
    const { claims } = await openClaims(t, database);
    const payer = createWallet().address;
    const trap = `claim_trap_${tries}`;
    await connected(database.url, (client) =>
      client.query(`
        CREATE SEQUENCE ledger.${trap};
        CREATE FUNCTION ledger.${trap}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('ledger.${trap}') = 1 THEN RAISE ${raise}; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER ${trap} BEFORE INSERT ON ledger.payment_claim FOR EACH ROW
          WHEN (NEW.payer = '${payer.toLowerCase()}') EXECUTE FUNCTION ledger.${trap}()`),
    );
    const claim = newDetails(payer);
    const opening = claims.open(claim, leased());
    if (tries === 1) t.like(await t.throwsAsync(opening), { code: 'PAYMENT_UNAVAILABLE' });
    else t.is(await opening, 'opened');
    t.is((await claims.find(claim)).claim?.state, tries === 1 ? undefined : 'executing');
    t.is(await claims.open(claim, leased()), 'opened');
  });
}

for (const { title, hasChain, result, atStart, atEnd } of [
  { title: 'With a chain, a settlement', hasChain: true, result: SETTLED, atStart: 'off', atEnd: 'on' },
  { title: 'With a chain, a failure', hasChain: true, result: FAILED, atStart: 'off', atEnd: 'off' },
  { title: 'Without a chain, a failure', hasChain: false, result: FAILED, atStart: 'on', atEnd: 'on' },
]) {
  test(`${title} begins with synchronous_commit = ${atStart}, and ends with ${atEnd}`, async (t) => {
    const { ledger, claims, keep, opened } = await openClaims(t, database, { hasChain });
    const payer = createWallet().address;
    const name = `seen_commits_${payer.toLowerCase()}`;
    const seen = `ledger.${name}`;
    await connected(database.url, (client) =>
      client.query(`
        CREATE TABLE ${seen} (commit text);
        CREATE FUNCTION ${seen}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO ${seen} VALUES (current_setting('synchronous_commit'));
          RETURN NEW;
        END $$;
        CREATE TRIGGER ${name} AFTER UPDATE ON ledger.payment_claim FOR EACH ROW
          WHEN (NEW.payer = '${payer.toLowerCase()}') EXECUTE FUNCTION ${seen}()`),
    );
    const claim = await opened({ payer });
    await keep(answerOf(claim.claimId));
    const commitsOf = async (work: Promise<unknown>) => {
      await work;
      return ledger.query(`WITH d AS (DELETE FROM ${seen} RETURNING commit) SELECT DISTINCT commit FROM d`);
    };
    await ledger.query(`TRUNCATE ${seen}`);
    const { attemptId, leaseMs } = attempt();
    t.deepEqual(await commitsOf(claims.startSettling(claim, { attemptId, leaseMs })), [{ commit: atStart }]);
    t.deepEqual(await commitsOf(claims.finish(claim, attemptId, result)), [{ commit: atEnd }]);
  });
}
