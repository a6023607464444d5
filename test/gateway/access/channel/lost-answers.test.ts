import test, { type ExecutionContext } from 'ava';
import { LEDGER_LIBRARY } from '../../../../services/ledger/redis/function-library.ts';
import { functionName } from '../../../../services/platform/redis/function-library.ts';
import { codeOf, readAnswer } from '../../../helpers/client.ts';
import { startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { startRedisProxy } from '../../../helpers/redis-proxy.ts';
import { until } from '../../../helpers/until.ts';
import { openLedger } from '../../../services/ledger/fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE } from './seller-fixture.ts';

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

/** A channel that paid for one call, whose ledger then makes reservations and does not answer. */
async function open(t: ExecutionContext) {
  const proxy = await startRedisProxy(redis.socketPath);
  t.teardown(() => proxy.close());
  const seller = await openSeller(t, { ...redis, url: proxy.url });
  const other = await openLedger(t, { url: redis.url, network: seller.network });
  const buyer = createBuyer(seller);
  t.is((await buyer.pay()).status, 200);
  proxy.setModeOf(functionName(LEDGER_LIBRARY, 'charge'), 'lose');
  /** Whether all credit that was not charged is free, by the ledger of another process. */
  const isFree = async () => {
    const [account] = await other.channels([buyer.id]);
    return account?.reservedMicroUsd === 0n && account.balanceMicroUsd === MIN_DEPOSIT - PRICE;
  };
  /** The number of reservations that were made, and that were voided. */
  const journal = async () => {
    const { entries } = await other.journal(1n, 100);
    const count = (type: string) => entries.filter(({ text }) => text.startsWith(`${type}|`)).length;
    return { reserved: count('reserve'), voided: count('void') };
  };
  return { seller, buyer, isFree, journal };
}

test('a charge whose answer is lost is returned at once, and nothing is executed', async (t) => {
  const { seller, buyer, isFree, journal } = await open(t);
  t.is(codeOf(await readAnswer(await buyer.pay())), 'PAYMENT_UNAVAILABLE');
  await until(isFree);
  t.deepEqual(await journal(), { reserved: 2, voided: 1 });
  t.is(seller.executed.length, 1);
});

test('a hold of a refund whose answer is lost is returned at once, and nothing is sent', async (t) => {
  const { seller, buyer, isFree, journal } = await open(t);
  await t.throwsAsync(buyer.refund());
  await until(isFree);
  t.deepEqual(await journal(), { reserved: 2, voided: 1 });
  t.is(seller.contract.asked.refund, 0);
});
