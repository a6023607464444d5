import type { Lock } from '../../../../services/payments/payment/context.ts';
import { LockError } from '../../../../services/payments/signer/signer-lock.ts';
import type { Faults } from '../engine/faults.ts';
import type { Host } from '../engine/host.ts';
import type { World } from '../engine/world.ts';
import type { SimulatedDatabase } from '../postgres/simulated-database.ts';

const WAIT_MS = 20_000;
const RETRY_MS = 15;
/** How long the server may keep the session of a process that has died. */
const LONGEST_SESSION_MS = 10_000;
const LONGEST_BREAK_MS = 2000;

export interface SignerLockOptions {
  readonly world: World;
  readonly faults: Faults;
  readonly database: SimulatedDatabase;
}

/**
 * The signer's lock of a world, as sessions of PostgreSQL hold it for all processes: the embedded server has only one. A
 * lock ends with its session: at a crash of the database, when a connection breaks, and a while after its process died.
 */
export function createSimulatedSignerLock({ world, faults, database }: SignerLockOptions): (host: Host) => Lock {
  const holders = new Map<string, symbol>();
  database.onCrash(() => holders.clear());

  async function acquire(host: Host, name: string): Promise<() => void> {
    for (let waitedMs = 0; !database.isUp() || holders.has(name); waitedMs += RETRY_MS) {
      if (!database.isUp() || waitedMs > WAIT_MS) throw new LockError('the lock is held, or the database is down');
      await new Promise<void>((resolve) => host.after(RETRY_MS, resolve));
    }
    const session = Symbol(name);
    holders.set(name, session);
    const end = () => {
      if (holders.get(name) === session) holders.delete(name);
    };
    const endWithin = (ms: number) => world.at(world.nowMs() + world.random.between(0, ms), end);
    const forget = host.onEnd(() => endWithin(LONGEST_SESSION_MS));
    if (faults.isOn && faults.broken > 0 && world.random.chance(faults.broken)) {
      world.count('fault: lost lock');
      endWithin(LONGEST_BREAK_MS);
    }
    return () => {
      // What a dead process still does has no effect.
      if (!host.isAlive()) return;
      forget();
      end();
    };
  }

  return (host) => async (name, work) => {
    const release = await acquire(host, name);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
