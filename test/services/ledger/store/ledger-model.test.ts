import test from 'ava';
import type { Reservation } from '../../../../services/ledger/contract/ledger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { fc } from '../../../kit/fast-check.ts';
import { newWallet } from '../fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, type OpenLedger, openTrialLedger } from './store-fixture.ts';
import { TrialModel } from './trial-model.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const TERMS = { grantMicroUsd: 50_000n, dailyBudgetMicroUsd: 150_000n, grantsPerScope: 3, failuresPerHour: 2 };
const START_MS = Date.UTC(2031, 2, 3, 23, 50);
const RESERVATIONS = 12;

/** A small range, so that commands often name the same ids, wallets and nonces. */
const index = fc.nat({ max: RESERVATIONS - 1 });
const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('reserve' as const), index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replay' as const), index, isOwn: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('post' as const), index }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('void' as const), index, isFailure: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 6, 61, 700) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
const amounts = fc.array(fc.constantFrom(3000n, 14_000n, 40_000n, 50_001n), {
  minLength: RESERVATIONS,
  maxLength: RESERVATIONS,
});

type Trial = Reservation & { readonly lockLeftMs: number };

interface World {
  readonly ledger: OpenLedger;
  readonly model: TrialModel;
  readonly trials: readonly Trial[];
  readonly clock: { nowMs: number };
}

/** Gives the command to the ledger and to the model. @returns the answers of both */
async function run({ ledger, model, trials, clock }: World, given: Command): Promise<readonly [unknown, unknown]> {
  if (given.do === 'wait') {
    clock.nowMs += given.minutes * 60_000;
    await ledger.setClock(clock.nowMs);
    return [0, 0];
  }
  if (given.do === 'sweep') {
    const { voided } = await ledger.sweep({ graceMs: 0, limit: 100 });
    return [voided, model.sweep(clock.nowMs)];
  }
  const planned = defined(trials[given.index]);
  const id = planned.reservationId;
  if (given.do === 'post')
    return [await ledger.post(newAnswer(planned)), model.resolve(id, 'posted', false, clock.nowMs)];
  if (given.do === 'void') {
    const outcome = await ledger.void(id, given.isFailure ? 'caller_failed' : 'swept');
    return [outcome, model.resolve(id, 'voided', given.isFailure, clock.nowMs)];
  }
  const other = defined(trials[(given.index + 1) % trials.length]);
  const isOwn = given.do === 'replay' && given.isOwn;
  const { nonce } = isOwn ? planned : other;
  // Another id for each nonce.
  const digit = (Number.parseInt(id.slice(-1), 16) + (isOwn ? 1 : 2)) % 16;
  const reservationId = `${id.slice(0, -1)}${digit.toString(16)}`;
  const trial = given.do === 'replay' ? { ...planned, reservationId, nonce } : planned;
  return [await ledger.reserve(trial), model.reserve(trial, clock.nowMs)];
}

test('balances, daily budgets and answers match the model, and the audit finds no violation', async (t) => {
  const property = fc.asyncProperty(
    amounts,
    fc.array(command, { minLength: 5, maxLength: 60, size: 'max' }),
    async (prices, commands) => {
      const ends: (() => unknown)[] = [];
      const ledger = openTrialLedger({ teardown: (end) => ends.push(end) }, database, { terms: TERMS });
      const clock = { nowMs: START_MS };
      await ledger.setClock(START_MS);
      const model = new TrialModel(TERMS);
      const wallets = Array.from({ length: 4 }, newWallet);
      const times = { nowMs: START_MS, expirationTimeMs: START_MS + 900_000, deadlineMs: START_MS + 840_000 };
      const trials = prices.map((amountMicroUsd, at) =>
        newTrial({ ...times, amountMicroUsd, wallet: defined(wallets[at % 4]), grantScope: '203.0.113.0/24' }),
      );
      try {
        for (const given of commands) {
          const [answer, expected] = await run({ ledger, model, trials, clock }, given);
          t.deepEqual(answer, expected);
        }
        t.deepEqual(
          await Promise.all(wallets.map(ledger.balance)),
          wallets.map((wallet) => model.balance(wallet)),
        );
        const { remainingMicroUsd } = await ledger.budget();
        t.is(remainingMicroUsd, TERMS.dailyBudgetMicroUsd - model.usedOn(clock.nowMs));
        t.deepEqual(await ledger.audit(), {
          wallets: model.wallets.size,
          channels: 0,
          pending: model.open,
          violations: [],
        });
      } finally {
        await Promise.all(ends.map((end) => end()));
      }
    },
  );
  await fc.assert(property, { numRuns: 30 });
});
