import { v7 as uuidv7 } from 'uuid';
import { createRedisLedger } from '../../../../services/ledger/redis/redis-ledger.ts';
import { startTestRedis } from '../../../../test/helpers/servers.ts';
import { connectBareLedger } from '../measure/bare-ledger.ts';
import { keepInFlight } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';

const IN_FLIGHT = 64;

/**
 * Compares lock, reserve, unlock and post, each for a new wallet, with four sequential function calls that write, and with
 * the fewest commands that the same records need.
 */
export const ledger: Scope = async () => {
  const redis = await startTestRedis();
  const ours = createRedisLedger({ url: redis.url, network: 'eip155:31337', dailyBudgetMicroUsd: 2n ** 50n });
  const ready = await ours.check();
  if (!ready.ok) throw new Error(`the ledger is not ready: ${ready.reason}`);
  const bare = await connectBareLedger(redis.url);
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
  const contenders = {
    ledger: { name: 'ledger', run: keepInFlight(IN_FLIGHT, charge) },
    fourWrites: { name: 'four sequential writing FCALLs', run: keepInFlight(IN_FLIGHT, bare.writeFourTimes) },
    bare: { name: 'the same commands without decisions', run: keepInFlight(IN_FLIGHT, bare.chargeOnce) },
  };
  const title = `lock + reserve + post, ${IN_FLIGHT} in flight`;
  return {
    comparisons: [
      { title, ours: contenders.ledger, reference: contenders.fourWrites, target: 0.6, targetP99Ms: 20 },
      { title, ours: contenders.ledger, reference: contenders.bare },
      { title, ours: contenders.bare, reference: contenders.fourWrites },
    ],
    async stop() {
      await ours.close();
      bare.close();
      await redis.stop();
    },
  };
};
