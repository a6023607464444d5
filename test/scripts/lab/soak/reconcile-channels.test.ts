import test from 'ava';
import type { Hex } from 'viem';
import { CHANNELS } from '../../../../scripts/lab/soak/reconcile/chain.ts';
import { reconcileChannels } from '../../../../scripts/lab/soak/reconcile/channels.ts';
import { type Answer, createBooks } from '../../../../scripts/lab/soak/run/books.ts';

const PAYER: Hex = '0x00000000000000000000000000000000000000a1';
const PAYEE: Hex = '0x00000000000000000000000000000000000000b2';
const CHANNEL: Hex = '0x01';
const transaction: Hex = '0x02';

const answered = (text: string): Answer => ({ status: 200, headers: new Headers(), text });

/** A channel with two charged calls, of which the first is claimed, a third that got no answer, and a refund. */
const RIGHT = {
  answers: [[answered('one')], [undefined, answered('two'), answered('two')], [undefined]],
  charged: 20n,
  calls: 2,
  balance: 90n,
  claimed: 10n,
  paidIn: 100n,
  paidBack: 10n,
  paidOut: 10n,
};

async function faultsOf(changes: Partial<typeof RIGHT> = {}): Promise<readonly string[]> {
  const { answers, charged, calls, balance, claimed, paidIn, paidBack, paidOut } = { ...RIGHT, ...changes };
  const books = createBooks();
  books.channels.push({
    channelId: CHANNEL,
    payer: PAYER,
    calls: answers.map((each, n) => ({ cumulative: 10n * BigInt(n + 1), answers: [...each] })),
  });
  const stores = { channel: async () => ({ charged, calls }) };
  const contract = CHANNELS as Hex;
  const chain = {
    channelOf: async () => ({ balance, claimed }),
    transfers: [
      { transaction, from: PAYER, to: contract, value: paidIn },
      { transaction, from: contract, to: PAYER, value: paidBack },
      { transaction, from: contract, to: PAYEE, value: paidOut },
    ],
  };
  await reconcileChannels({ books, stores, chain });
  return books.contradictions.map((text) => text.slice(0, text.indexOf('\n')));
}

test('a channel whose answers, charges and claims agree is not a contradiction', async (t) => {
  t.deepEqual(await faultsOf(), []);
  // The third call was charged, and its answer was lost.
  t.deepEqual(await faultsOf({ charged: 30n, calls: 3, claimed: 20n, paidOut: 20n }), []);
  // Everything is claimed with a refund of all that was left.
  t.deepEqual(await faultsOf({ balance: 20n, paidBack: 80n, claimed: 20n, paidOut: 20n }), []);
});

for (const [fault, changes] of [
  ['a call was answered and is not charged', { charged: 10n, calls: 1, claimed: 0n, paidOut: 0n }],
  ['a channel was charged what nobody signed', { charged: 25n }],
  ['a call was charged twice, or executed unasked', { calls: 3 }],
  ['a channel was charged more than it holds', { balance: 15n, paidBack: 85n }],
  ['more was claimed than charged', { claimed: 30n, paidOut: 30n }],
  ['what can be claimed is not claimed', { claimed: 0n, paidOut: 0n }],
  ['a deposit or a refund was lost', { paidBack: 0n }],
  ['a voucher got two results', { answers: [[answered('one'), answered('other')], [answered('two')], []] }],
  ['what is claimed is not with the payee', { paidOut: 0n }],
] as const satisfies readonly (readonly [string, Partial<typeof RIGHT>])[]) {
  test(`a contradiction: ${fault}`, async (t) => {
    t.deepEqual(await faultsOf(changes), [fault]);
  });
}
