import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { createRedisClient } from '../../../services/platform/redis/redis-client.ts';
import { eventuallyAnswered } from '../../kit/buyers.ts';
import { CONVERT, post, requirementsOf } from '../../kit/client.ts';
import { startLockRedis } from '../../kit/lock-redis.ts';
import { until } from '../../kit/until.ts';
import { findDifferences } from './books.ts';
import { BODY } from './faulty-stack.ts';
import { assertUsed, sendAgain, startClaimingStack, startLoads } from './lost-commits.ts';
import { untilQuiet } from './quiet.ts';

const EMPTY_EVERY_MS = 20;

const locks = await startLockRedis();
const stack = await startClaimingStack({ redisUrl: () => locks.url });
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
    const load = startLoads(t, stack);
    const emptying = startEmptying();
    await load.more();
    const emptied = await emptying.stop();

    await locks.kill();
    await until(async () => !(await isAvailable()));
    const [paid, called] = [load.payments.answered().length, load.channels.answered().length];
    await until(() => load.payments.answered().length > paid + 2 && load.channels.answered().length > called + 2);
    await locks.start();
    await load.more();
    await load.stop();

    const [trials, payments, channels] = [load.trials.sent, load.payments.sent, load.channels.buyers];
    await Promise.all(channels.flatMap(({ calls }) => calls.slice(-1).map(eventuallyAnswered)));
    await sendAgain(payments);
    await untilQuiet(stack);
    await assertUsed(t, stack, load);
    const bought = { trials, payments, channels, surelyCharged: load.trials.answered() };
    t.deepEqual(await findDifferences(stack, bought), []);
    t.log(`${load.confirmed().length} trials; emptied ${emptied} times`);
  },
);
