import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { createRedisClient } from '../../../services/platform/redis/redis-client.ts';
import { connectChain } from '../../helpers/chain.ts';
import { CONVERT, post, requirementsOf } from '../../helpers/client.ts';
import { startLockRedis } from '../../helpers/lock-redis.ts';
import { until } from '../../helpers/until.ts';
import { findChannelFaults } from './channel-load.ts';
import { BODY, startClaimingStack, startLoad } from './lost-commits.ts';
import { checkPayments } from './payment-load.ts';
import { readBooks, untilQuiet } from './trial-books.ts';
import { assertTrialBooks } from './trial-load.ts';

const EMPTY_EVERY_MS = 20;

const locks = await startLockRedis();
const stack = await startClaimingStack({ redisUrl: () => locks.url });
const { accepts } = requirementsOf(await post(stack.url + CONVERT, BODY));
const chain = connectChain(stack.chainUrl, accepts[0].asset);
test.after.always(async () => {
  await stack.stop();
  await locks.remove();
});

/** Empties the Redis of the locks again and again. */
function startEmptying() {
  let isStopped = false;
  const done = (async () => {
    let count = 0;
    const client = createRedisClient({ url: locks.url });
    await client.connect();
    for (; !isStopped; count += 1) {
      await client.flushAll();
      await delay(EMPTY_EVERY_MS);
    }
    client.destroy();
    return count;
  })();
  return {
    async stop() {
      isStopped = true;
      return done;
    },
  };
}

const isAvailable = async () =>
  requirementsOf(await post(stack.url + CONVERT, BODY)).extensions['sign-in-with-x'] !== undefined;

test.serial(
  'a Redis that is emptied or killed under load of everything stops trials alone, and nothing is lost',
  async (t) => {
    const load = startLoad(t, stack);
    const emptying = startEmptying();
    await load.more();
    const emptied = await emptying.stop();

    await locks.kill();
    await until(async () => !(await isAvailable()));
    const [paid, called] = [load.payments.paid().length, load.channels.answered()];
    await until(() => load.payments.paid().length > paid + 2 && load.channels.answered() > called + 2);
    await locks.start();
    await load.more();
    await load.stop();

    await untilQuiet(stack);
    const { violations, pending } = await readBooks(stack);
    t.deepEqual([violations, pending], [[], 0]);
    t.deepEqual(await findChannelFaults(stack, load.channels.payers), []);
    t.deepEqual((await checkPayments({ url: stack.url, body: BODY, chain }, load.payments.sent)).faults, []);
    await assertTrialBooks(t, stack, BODY, { sent: load.trials.sent });
    t.log(`${load.trials.confirmed().length} trials; emptied ${emptied} times`);
  },
);
