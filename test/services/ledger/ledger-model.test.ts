import test from 'ava';
import type { Ledger, Reservation } from '../../../services/ledger/contract/ledger.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { fc } from '../../helpers/fast-check.ts';
import { startLedgerRedis } from '../../helpers/ledger-redis.ts';
import { newReservation, newWallet, openLedger } from './fixture.ts';
import { LedgerModel } from './ledger-model.ts';

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

const LIMITS = { grantMicroUsd: 50_000n, dailyBudgetMicroUsd: 150_000n, failuresPerHour: 2 };
const START_MS = Date.UTC(2031, 2, 3, 23, 50);

/** A small range, so that commands often name the same ids, wallets and nonces. */
const index = fc.nat({ max: 11 });
const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('reserve' as const), index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replay' as const), index }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('post' as const), index }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('void' as const), index, isFailure: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 6, 61, 700) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
const amounts = fc.array(fc.constantFrom(3000n, 14_000n, 40_000n, 50_001n), { minLength: 12, maxLength: 12 });

interface World {
  readonly ledger: Ledger;
  readonly model: LedgerModel;
  readonly reservations: readonly Reservation[];
  readonly clock: { nowMs: number };
}

/** Gives the command to the ledger and to the model. @returns the answers of both */
async function run(
  { ledger, model, reservations, clock }: World,
  given: Command,
): Promise<readonly [unknown, unknown]> {
  if (given.do === 'wait') {
    clock.nowMs += given.minutes * 60_000;
    return [0, 0];
  }
  const planned = defined(reservations[given.index]);
  const id = planned.reservationId;
  if (given.do === 'post') return [(await ledger.post(id)).state, model.resolve(id, 'posted', false, clock.nowMs)];
  if (given.do === 'void') {
    const { state } = await ledger.void(id, given.isFailure ? 'caller_failed' : 'swept');
    return [state, model.resolve(id, 'voided', given.isFailure, clock.nowMs)];
  }
  const { nonce } = defined(reservations[(given.index + 1) % reservations.length]);
  const reservation =
    given.do === 'replay' && !model.reservations.has(id)
      ? { ...planned, reservationId: `${id}-replay`, nonce }
      : planned;
  const { state, balanceMicroUsd } = await ledger.reserve(reservation);
  return [{ state, balanceMicroUsd }, model.reserve(reservation, clock.nowMs)];
}

test('balances, daily budgets and answers match the model, and the audit finds no violation', async (t) => {
  const property = fc.asyncProperty(
    amounts,
    fc.array(command, { minLength: 5, maxLength: 60 }),
    async (prices, commands) => {
      const clock = { nowMs: START_MS };
      const ledger = await openLedger({ teardown: () => {} }, { ...redis, ...LIMITS, now: () => clock.nowMs });
      const model = new LedgerModel(LIMITS);
      const wallets = Array.from({ length: 4 }, newWallet);
      const times = { expirationTimeMs: START_MS + 900_000, deadlineMs: START_MS + 840_000 };
      const reservations = prices.map((amountMicroUsd, at) =>
        newReservation({ ...times, amountMicroUsd, wallet: defined(wallets[at % 4]) }),
      );
      const world = { ledger, model, reservations, clock };
      try {
        for (const given of commands) {
          const [answer, expected] = await run(world, given);
          t.deepEqual(answer, expected);
        }
        for (const wallet of wallets) t.is(await ledger.balance(wallet), model.balance(wallet));
        const used = model.used.get(Math.floor(clock.nowMs / 86_400_000)) ?? 0n;
        t.is((await ledger.budget()).remainingMicroUsd, LIMITS.dailyBudgetMicroUsd - used);
        const audit = await ledger.audit();
        t.deepEqual(audit.violations, []);
        t.is(audit.wallets, model.wallets.size);
      } finally {
        await ledger.close();
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
