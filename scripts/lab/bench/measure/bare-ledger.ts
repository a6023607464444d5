import { readFileSync } from 'node:fs';
import { createClient } from 'redis';
import { v7 as uuidv7 } from 'uuid';
import { createBatch } from '../../../../services/platform/batch.ts';

const PREFIX = 'tollhouse:{bench}:';

/** References for the ledger, on the same Redis: the fewest commands, without any decision. */
export interface BareLedger {
  /** Four function calls, one after the other, that write one number each. */
  writeFourTimes(index: number): Promise<void>;
  /** The commands of a lock, a reserve and a post that the accounting cannot do without, with ready-made texts, in batches. */
  chargeOnce(index: number): Promise<void>;
  close(): void;
}

export async function connectBareLedger(url: string): Promise<BareLedger> {
  const client = createClient({ url, commandOptions: { timeout: 0 } });
  await client.connect();
  await client.functionLoad(readFileSync(new URL('bare-ledger.lua', import.meta.url), 'utf8'), { REPLACE: true });
  const batchOf = (name: 'lock' | 'reserve' | 'post') =>
    createBatch(async (calls: readonly (readonly string[])[]) => {
      await client.fCall(`tollhouse_bench_${name}`, { keys: [PREFIX], arguments: calls.flat() });
      return calls.map(() => undefined);
    });
  const [lock, reserve, post] = [batchOf('lock'), batchOf('reserve'), batchOf('post')];
  return {
    async writeFourTimes(index) {
      const call = { keys: [`bench:${index % 1000}`], arguments: ['1'] };
      for (let n = 0; n < 4; n += 1) await client.fCall('tollhouse_bench_write', call);
    },
    async chargeOnce() {
      const { keys, texts, id, deadline } = newCall();
      await lock([keys.lock]);
      const read = [keys.wallet, keys.reservation, keys.nonce, keys.lock];
      await reserve([...read, texts.wallet, texts.reservation, texts.nonce, texts.reserved, deadline, id]);
      await post([keys.wallet, keys.reservation, texts.wallet, texts.reservation, texts.posted, id]);
    },
    close: () => client.destroy(),
  };
}

let calls = 0;

/** The keys and texts that the ledger would store for a call of a new wallet. */
function newCall() {
  calls += 1;
  const id = uuidv7();
  const wallet = `0x${calls.toString(16).padStart(40, '0')}`;
  const nonce = calls.toString(16).padStart(32, '0');
  const nowMs = Date.now();
  return {
    id,
    deadline: String(nowMs + 30_000),
    keys: {
      wallet: `${PREFIX}wallet:${wallet}`,
      reservation: `${PREFIX}reservation:${id}`,
      nonce: `${PREFIX}nonce:${nonce}`,
      lock: `${PREFIX}lock:${wallet}`,
    },
    texts: {
      wallet: `47000|3000|0|${calls}|`,
      reservation: `pending|${wallet}|${nonce}|3000|html-to-markdown|20000|47000`,
      nonce: `${id}|reserved|47000`,
      reserved: `reserve|${id}|${wallet}|${nonce}|3000|html-to-markdown|20000|5000000|50000|${nowMs}`,
      posted: `post|${id}||${nowMs}`,
    },
  };
}
