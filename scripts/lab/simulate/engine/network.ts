import type { Faults } from './faults.ts';
import type { Host } from './host.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** No answer of the other process. `unreachable`: at once. `late`: not within the caller's time. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly kind: 'unreachable' | 'late';

  constructor(kind: 'unreachable' | 'late') {
    super(kind);
    this.kind = kind;
  }
}

export interface NetworkCall {
  readonly to: Machine;
  readonly method: string;
  readonly request: unknown;
  readonly timeoutMs: number;
}

/** Messages between processes. They may be lost, late, doubled and reordered. */
export interface Network {
  /** Calls a process. @throws {NetworkError}, or what the handler throws */
  call(from: Host, call: NetworkCall): Promise<unknown>;
  /** How long one message takes. On a connection that keeps the order of messages, a late one delays the others. */
  latencyMs(order?: 'kept'): number;
  /** Ends a process by chance. @returns whether it has ended */
  mayCrash(machine: Machine): boolean;
}

const LONGEST_MS = 12_000;
/** Longer than a process waits for a message of a stream. */
const LONGEST_IN_ORDER_MS = 4000;

export function createNetwork(world: World, faults: Faults): Network {
  const { random } = world;
  const happens = (rate: number, what: string) => {
    const isFault = faults.isOn && rate > 0 && random.chance(rate);
    if (isFault) world.count(`fault: ${what}`);
    return isFault;
  };
  const latencyMs = (order?: 'kept') => {
    const [rate, longestMs] = order === 'kept' ? [faults.late / 10, LONGEST_IN_ORDER_MS] : [faults.late, LONGEST_MS];
    if (happens(rate, 'late message')) return random.between(50, longestMs);
    return faults.isOn ? random.between(0, 4) : 1;
  };
  const mayCrash = (machine: Machine) => {
    if (!happens(faults.crash, 'crash at a message')) return false;
    machine.crash('at a message');
    return true;
  };

  return {
    latencyMs,
    mayCrash,
    call(from, { to, method, request, timeoutMs }) {
      return new Promise((resolve, reject) => {
        let isAnswered = false;
        const answer = (settle: () => void) => {
          if (isAnswered) return;
          isAnswered = true;
          cancel();
          from.enter(settle);
        };
        const cancel = from.after(timeoutMs, () => answer(() => reject(new NetworkError('late'))));
        const refuse = () => answer(() => reject(new NetworkError('unreachable')));
        const name = `${from.name} → ${to.name} ${method}`;

        /** One delivery of the request. Only the first answer counts. */
        const deliver = () => {
          const host = to.host();
          const handler = to.handlers()?.[method];
          if (host === undefined || handler === undefined) {
            world.note(() => `${name}: unreachable`);
            world.at(world.nowMs() + latencyMs(), refuse);
            return;
          }
          if (mayCrash(to)) return refuse();
          world.note(() => `${name}`);
          const forget = host.onEnd(() => world.at(world.nowMs() + 1, refuse));
          const reply = (settle: () => void, what: string) => {
            forget();
            if (!host.isAlive() || mayCrash(to)) return;
            if (happens(faults.lost, 'lost reply')) {
              world.note(() => `${name}: reply lost (${what})`);
              if (random.chance(0.5)) world.at(world.nowMs() + 1, refuse);
              return;
            }
            world.at(world.nowMs() + latencyMs(), () => {
              world.note(() => `${name}: ${what}`);
              answer(settle);
            });
          };
          host.enter(() => {
            handler(request, host.clockMs() + timeoutMs).then(
              (result) => reply(() => resolve(result), 'answered'),
              (error: unknown) => reply(() => reject(error), `failed: ${String(error)}`),
            );
          });
        };

        if (!from.isAlive()) return;
        if (happens(faults.doubled, 'doubled message')) world.at(world.nowMs() + latencyMs(), deliver);
        if (happens(faults.lost, 'lost request')) {
          world.note(() => `${name}: request lost`);
          if (random.chance(0.5)) world.at(world.nowMs() + 1, refuse);
          return;
        }
        world.at(world.nowMs() + latencyMs(), deliver);
      });
    },
  };
}
