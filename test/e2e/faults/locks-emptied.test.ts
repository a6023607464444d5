import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { createRedisClient } from '../../../services/platform/redis/redis-client.ts';
import { startLockRedis } from '../../helpers/lock-redis.ts';
import { until } from '../../helpers/until.ts';
import { findChannelFaults, startChannelLoad } from './channel-load.ts';
import type { ChannelPayer } from './channel-payer.ts';
import { startFaultyStack } from './faulty-stack.ts';
import { readBooks, untilQuiet } from './trial-books.ts';
import { assertTrialBooks, startTrialLoad } from './trial-load.ts';

const BODY = { html: '<h1>Locks</h1>' };
const EMPTY_EVERY_MS = 20;
const DOWN_MS = 200;
/** Trials and calls of channels that must be answered in each phase. */
const [ENOUGH_TRIALS, ENOUGH_CALLS] = [20, 10];

const locks = await startLockRedis();
const stack = await startFaultyStack({
  redisUrl: (shared, name) => (name.startsWith('gateway') ? locks.url : shared),
  env: {
    backoffice: { CHANNEL_CLAIM_ABOVE: '1', CHANNEL_CLAIM_INTERVAL_MS: '500', CHANNEL_WATCH_INTERVAL_MS: '500' },
  },
});
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

test.serial('locks that are emptied under load, or killed, charge nobody twice', async (t) => {
  const trials = startTrialLoad(stack.url, BODY);
  const payers: ChannelPayer[] = [];
  /** Goes on until there are enough more answers. */
  const callOn = async (during = async () => {}) => {
    const before = trials.confirmed().length;
    const channels = startChannelLoad(stack.url, BODY);
    await until(() => channels.answered() > 0);
    await during();
    await until(() => trials.confirmed().length >= before + ENOUGH_TRIALS && channels.answered() >= ENOUGH_CALLS);
    await channels.stop();
    payers.push(...channels.payers);
  };
  const emptying = startEmptying();
  await callOn();
  const emptied = await emptying.stop();
  await callOn(async () => {
    await locks.kill();
    await delay(DOWN_MS);
    await locks.start();
  });
  await trials.stop();

  await untilQuiet(stack);
  const { violations, pending } = await readBooks(stack);
  t.deepEqual([violations, pending], [[], 0]);
  t.deepEqual(await findChannelFaults(stack, payers), []);
  await assertTrialBooks(t, stack, BODY, { sent: trials.sent });
  t.log(`${trials.confirmed().length} trials; emptied ${emptied} times`);
});
