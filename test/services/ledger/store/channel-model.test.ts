import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { defined } from '../../../../workers/exact/defined.ts';
import { fc } from '../../../kit/fast-check.ts';
import { newChannel, newCharge, newHold, newSignature } from '../channel-fixture.ts';
import { ChannelModel } from './channel-model.ts';
import { createLedgerDatabase, newAnswer, type OpenLedger, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const PRICE = 10n;
/** Of two requests, so that a used voucher comes with the same one and with another one. */
const HASHES = ['a'.repeat(64), 'b'.repeat(64)] as const;
/** A small range, so that commands often name the same ids and vouchers. */
const index = fc.nat({ max: 9 });
const amount = fc.constantFrom(0n, 5n, 10n, 20n, 35n, 100n);
/** Whether the open call is resolved, or any. */
const isOpen = fc.boolean();
/** Which voucher comes with a call: the next one, the latest one again with its request, or any. */
const aim = fc.constantFrom('next' as const, 'latest' as const, 'any' as const);
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('show' as const), amount, claimed: fc.constantFrom(0n, 10n) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('charge' as const), index, aim, steps: fc.bigInt(0n, 3n) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hold' as const), index, amount, isNext: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('post' as const), index, isOpen }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('void' as const), index, isOpen }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('publish' as const), amount: fc.constantFrom(10n, 20n) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly ledger: OpenLedger;
  readonly model: ChannelModel;
  readonly channelId: string;
  readonly ids: readonly string[];
  readonly signature: string;
}

/** Gives the command to the ledger and to the model. @returns the answers of both */
async function run({ ledger, model, channelId, ids, signature }: World, given: Command) {
  switch (given.do) {
    case 'show':
      await ledger.show(channelId, { balanceMicroUsd: given.amount, claimedMicroUsd: given.claimed });
      [model.usable, model.claimed] = [given.amount, given.claimed];
      return [0, 0];
    case 'publish': {
      const published =
        'UPDATE ledger.channel SET published = greatest(published, $2) WHERE id = $1 RETURNING published';
      const [row] = await ledger.query(published, [channelId, given.amount]);
      if (row !== undefined) model.published = BigInt(String(row['published']));
      return [0, 0];
    }
    case 'restore':
      // As if this channel were of an earlier epoch.
      await ledger.query('UPDATE ledger.channel SET epoch = -1 WHERE id = $1', [channelId]);
      model.isSettled = !model.isKnown;
      return [0, 0];
    case 'post':
    case 'void': {
      const id = (given.isOpen ? model.open?.id : undefined) ?? defined(ids[given.index]);
      const { state } =
        given.do === 'post'
          ? await ledger.post(newAnswer({ reservationId: id }))
          : await ledger.void(id, 'operation_failed');
      return [state, model.resolve(id, given.do === 'post' ? 'posted' : 'voided')];
    }
    case 'hold': {
      const id = defined(ids[given.index]);
      const known = model.open?.id === id ? model.open : model.posted.get(id);
      if (known?.kind === 'charge') return [0, 0];
      const cumulative = known?.voucher.cumulative ?? (given.isNext ? model.charged : model.charged + PRICE);
      const wanted = known?.amount ?? (given.amount === 0n ? undefined : given.amount);
      const hold = newHold({ reservationId: id, channelId, cumulativeMicroUsd: cumulative, signature });
      const { state } = await ledger.holdRefund({ ...hold, ...(wanted && { amountMicroUsd: wanted }) });
      return [state, model.reserve('refund', { id, cumulative, request: '' }, wanted)];
    }
    case 'charge': {
      const id = defined(ids[given.index]);
      const known = model.open?.id === id ? model.open : model.posted.get(id);
      if (known?.kind === 'refund') return [0, 0];
      const latest = given.aim === 'latest' && model.latest?.request !== 'none' ? model.latest : undefined;
      const free = given.aim === 'next' ? model.charged + PRICE : given.steps * PRICE + PRICE;
      const { cumulative = free, request = given.index % 2 === 0 ? HASHES[0] : HASHES[1] } =
        known?.voucher ?? latest ?? {};
      const voucher = {
        cumulativeMicroUsd: cumulative,
        signature,
        fingerprint: request,
        holder: Buffer.alloc(32, 'c'),
      };
      const charge = newCharge({ reservationId: id, channelId, amountMicroUsd: PRICE, ...voucher });
      const { state } = await ledger.charge(charge);
      return [state, model.reserve('charge', { id, cumulative, request }, PRICE)];
    }
  }
}

test('accounts and answers match the model over random calls, and the audit finds no violation', async (t) => {
  const ledger = openTrialLedger(t, database);
  // More may be claimed than a channel knows until it is settled.
  ledger.notAudited();
  const property = fc.asyncProperty(
    fc.array(command, { minLength: 5, maxLength: 60, size: 'max' }),
    async (commands) => {
      const ids = Array.from({ length: 10 }, () => uuidv7());
      const model = new ChannelModel();
      const world = { ledger, model, channelId: newChannel(), ids, signature: newSignature() };
      for (const given of commands) {
        const [answer, expected] = await run(world, given);
        const written = JSON.stringify(given, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
        t.deepEqual(answer, expected, written);
        const [account] = await ledger.channels([world.channelId]);
        t.like(account, {
          fundedMicroUsd: model.funded,
          reservedMicroUsd: model.reserved,
          chargedMicroUsd: model.charged,
        });
        t.is(account?.voucher?.cumulativeMicroUsd, model.latest?.cumulative, written);
      }
      const { violations } = await ledger.audit();
      t.deepEqual(
        violations.filter(({ invariant }) => invariant !== 'claimed_as_charged'),
        [],
      );
    },
  );
  await fc.assert(property, { numRuns: 100 });
});
