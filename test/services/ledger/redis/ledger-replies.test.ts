import test from 'ava';
import type { Ledger, LedgerUnavailableCode } from '../../../../services/ledger/contract/ledger.ts';
import { LEDGER_LIBRARY } from '../../../../services/ledger/redis/function-library.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { stubLibrary } from '../../../helpers/stub-library.ts';
import { newNetwork, newReservation, newWallet, openLedger, throwsUnavailable } from '../fixture.ts';

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

interface Case {
  readonly title: string;
  readonly reply: string;
  readonly code: LedgerUnavailableCode;
  readonly call: (ledger: Ledger) => Promise<unknown>;
}

const post = (ledger: Ledger) => ledger.post('00000000-0000-7000-8000-000000000000');
const CASES: readonly Case[] = [
  { title: 'a write without an outcome', reply: "{'done', '0'}", code: 'uncertain', call: post },
  { title: 'a write without a balance', reply: "{'done', '0', 'posted'}", code: 'uncertain', call: post },
  { title: 'a write without a sequence', reply: "{'done', '', 'posted', '1'}", code: 'uncertain', call: post },
  { title: 'a write with an unknown word', reply: "{'ok', '0', 'posted', '1'}", code: 'uncertain', call: post },
  { title: 'a write with an unknown state', reply: "{'done', '0', 'spent', '1'}", code: 'uncertain', call: post },
  { title: 'a write with a malformed balance', reply: "{'done', '0', 'posted', '-1'}", code: 'uncertain', call: post },
  { title: 'a balance without a wallet', reply: '{}', code: 'refused', call: (ledger) => ledger.balance(newWallet()) },
  { title: 'a short wallet', reply: "{{'50000'}}", code: 'refused', call: (ledger) => ledger.balance(newWallet()) },
  {
    title: 'totals without a budget',
    reply: "{'e', '1', '20000'}",
    code: 'refused',
    call: (ledger) => ledger.budget(),
  },
  {
    title: 'totals without a day',
    reply: "{'e', '1', '', '0', '0'}",
    code: 'refused',
    call: (ledger) => ledger.budget(),
  },
  {
    title: 'a short overdue reservation',
    reply: "{{'id', '0xa'}}",
    code: 'refused',
    call: (ledger) => ledger.overdue({ graceMs: 0, limit: 1, of: 'calls' }),
  },
  {
    title: 'a lock without an outcome',
    reply: '{}',
    code: 'refused',
    call: (ledger) => ledger.reserve(newReservation()),
  },
];

for (const { title, reply, code, call } of CASES) {
  test.serial(`${title} is an error, and the ledger recovers`, async (t) => {
    const network = newNetwork();
    const ledger = await openLedger(t, { ...redis, network, checkEveryMs: 600_000 });
    const client = await createRedisClient({ url: redis.url }).connect();
    t.teardown(() => client.destroy());
    await stubLibrary(client, LEDGER_LIBRARY, reply);
    await throwsUnavailable(t, call(ledger), code);
    t.true((await ledger.check()).ok);
    t.is((await ledger.reserve(newReservation())).state, 'reserved');
  });
}

test.serial('a denial without a balance is an error', async (t) => {
  const ledger = await openLedger(t, { ...redis, checkEveryMs: 600_000 });
  const client = await createRedisClient({ url: redis.url }).connect();
  t.teardown(() => client.destroy());
  // The lock is granted, and the reserve answers a denial with an empty balance.
  await stubLibrary(client, LEDGER_LIBRARY, "(#args == 3) and {1} or {'done', '0', 'insufficient_balance', ''}");
  await throwsUnavailable(t, ledger.reserve(newReservation()), 'uncertain');
});
