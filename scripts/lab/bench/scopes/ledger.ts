import { createClient } from 'redis';
import { v7 as uuidv7 } from 'uuid';
import { createRedisLedger } from '../../../../services/ledger/redis/redis-ledger.ts';
import { startTestRedis } from '../../../../test/helpers/servers.ts';
import { keepInFlight } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';

const IN_FLIGHT = 64;
const LIBRARY = `#!lua name=tollhouse_bench
redis.register_function('tollhouse_bench_write', function(keys, args)
  return redis.call('HINCRBY', keys[1], 'n', args[1])
end)`;

/** Compares lock, reserve, unlock and post, each for a new wallet, with four sequential function calls that write. */
export const ledger: Scope = async () => {
  const redis = await startTestRedis();
  const ours = createRedisLedger({ url: redis.url, network: 'eip155:31337', dailyBudgetMicroUsd: 2n ** 50n });
  const ready = await ours.check();
  if (!ready.ok) throw new Error(`the ledger is not ready: ${ready.reason}`);
  const client = createClient({ url: redis.url, commandOptions: { timeout: 0 } });
  await client.connect();
  await client.functionLoad(LIBRARY, { REPLACE: true });
  let calls = 0;
  const charge = async () => {
    const reservationId = uuidv7();
    calls += 1;
    const atMs = Date.now();
    const outcome = await ours.reserve({
      reservationId,
      wallet: `0x${calls.toString(16).padStart(40, '0')}`,
      nonce: calls.toString(16).padStart(32, '0'),
      expirationTimeMs: atMs + 300_000,
      deadlineMs: atMs + 30_000,
      operation: 'html-to-markdown',
      amountMicroUsd: 3000n,
    });
    if (outcome.state !== 'reserved') throw new Error(`the ledger did not reserve: ${outcome.state}`);
    const { state } = await ours.post(reservationId);
    if (state !== 'posted') throw new Error(`the ledger did not post: ${state}`);
  };
  const fourWrites = async (index: number) => {
    const call = { keys: [`bench:${index % 1000}`], arguments: ['1'] };
    for (let n = 0; n < 4; n += 1) await client.fCall('tollhouse_bench_write', call);
  };
  return {
    comparisons: [
      {
        title: `lock + reserve + post, ${IN_FLIGHT} in flight`,
        ours: { name: 'ledger', run: keepInFlight(IN_FLIGHT, charge) },
        reference: { name: 'four sequential writing FCALLs', run: keepInFlight(IN_FLIGHT, fourWrites) },
        target: 0.6,
        targetP99Ms: 20,
      },
    ],
    async stop() {
      await ours.close();
      client.destroy();
      await redis.stop();
    },
  };
};
