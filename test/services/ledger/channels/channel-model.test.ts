import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Ledger } from '../../../../services/ledger/contract/ledger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { fc } from '../../../helpers/fast-check.ts';
import { startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { openLedger } from '../fixture.ts';
import { newChannel, newCharge, newHold, newSignature } from './channel-fixture.ts';
import { ChannelModel } from './channel-model.ts';

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

const PRICE = 10n;
/** A small range, so that commands often name the same ids and vouchers. */
const index = fc.nat({ max: 9 });
const amount = fc.constantFrom(0n, 5n, 20n, 35n, 100n);
const block = fc.bigInt({ min: 1n, max: 8n });
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fund' as const), amount, block }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('charge' as const), index, isNext: fc.boolean(), steps: fc.bigInt(0n, 3n) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hold' as const), index, amount, isNext: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('post' as const), index }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('void' as const), index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), index, amount, block }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly ledger: Ledger;
  readonly model: ChannelModel;
  readonly channelId: string;
  readonly ids: readonly string[];
  readonly signature: string;
}

/** Gives the command to the ledger and to the model. @returns the answers of both */
async function run({ ledger, model, channelId, ids, signature }: World, given: Command) {
  if (given.do === 'fund') {
    await ledger.fund({ channelId, usableMicroUsd: given.amount, block: given.block });
    return [0, model.fund(given.amount, given.block) ?? 0];
  }
  const id = defined(ids[given.index]);
  switch (given.do) {
    case 'post':
      // A refund is never posted: only `fund` ends it.
      if (model.reservations.get(id)?.kind === 'refund') return [0, 0];
      return [(await ledger.post(id)).state, model.resolve(id, 'posted')];
    case 'void':
      if (!model.reservations.has(id)) return [0, 0];
      return [(await ledger.void(id, 'operation_failed')).state, model.resolve(id, 'voided')];
    case 'end':
      if (model.reservations.get(id)?.kind === 'charge') return [0, 0];
      await ledger.fund({ channelId, usableMicroUsd: given.amount, block: given.block, refundId: id });
      return [0, model.fund(given.amount, given.block, id) ?? 0];
    case 'hold': {
      const known = model.reservations.get(id);
      if (known?.kind === 'charge') return [0, 0];
      const cumulative = known?.voucher.cumulative ?? (given.isNext ? model.charged : model.charged + PRICE);
      const wanted = given.amount === 0n ? undefined : given.amount;
      const hold = newHold({ reservationId: id, channelId, cumulativeMicroUsd: cumulative, signature });
      const { state } = await ledger.holdRefund({ ...hold, ...(wanted && { amountMicroUsd: wanted }) });
      return [state, model.reserve('refund', { id, cumulative, request: '' }, wanted)];
    }
    case 'charge': {
      const known = model.reservations.get(id);
      if (known?.kind === 'refund') return [0, 0];
      const free = given.isNext ? model.charged + PRICE : given.steps * PRICE + PRICE;
      const cumulative = known?.voucher.cumulative ?? free;
      // Two requests, so that a used voucher comes with the same one and with another one.
      const request = known?.voucher.request ?? (given.index % 2 === 0 ? 'a' : 'b').repeat(64);
      const voucher = { cumulativeMicroUsd: cumulative, signature, fingerprint: request, holder: 'c'.repeat(64) };
      const charge = newCharge({ reservationId: id, channelId, amountMicroUsd: PRICE, ...voucher });
      const { state } = await ledger.charge(charge);
      return [state, model.reserve('charge', { id, cumulative, request }, PRICE)];
    }
  }
}

test('accounts and answers match the model over random calls, and the audit finds no violation', async (t) => {
  const property = fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60 }), async (commands) => {
    const ledger = await openLedger({ teardown: () => {} }, redis);
    const ids = Array.from({ length: 10 }, () => uuidv7());
    const model = new ChannelModel();
    const world = { ledger, model, channelId: newChannel(), ids, signature: newSignature() };
    try {
      for (const given of commands) {
        const [answer, expected] = await run(world, given);
        t.deepEqual(
          answer,
          expected,
          JSON.stringify(given, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
        );
        const [account] = await ledger.channels([world.channelId]);
        t.like(account, {
          fundedMicroUsd: model.funded,
          balanceMicroUsd: model.balance,
          reservedMicroUsd: model.reserved,
          chargedMicroUsd: model.charged,
        });
        t.is(account?.voucher?.cumulativeMicroUsd, model.latest?.cumulative);
      }
      t.deepEqual((await ledger.audit()).violations, []);
    } finally {
      await ledger.close();
    }
  });
  await fc.assert(property, { numRuns: 100 });
});
