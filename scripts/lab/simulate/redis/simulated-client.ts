import { hash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { ClientOfflineError, ErrorReply } from 'redis';
import type { RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import type { Faults } from '../engine/faults.ts';
import type { Host } from '../engine/host.ts';
import type { Network } from '../engine/network.ts';
import type { SharedRedis } from './redis-server.ts';

export interface SimulatedRedisOptions {
  readonly host: Host;
  readonly redis: SharedRedis;
  readonly network: Network;
  readonly faults: Faults;
  /** How far the clock of Redis is ahead of the world's time. */
  readonly clockOffsetMs: number;
  /** The key prefix of the world: commands without keys belong to it. */
  readonly prefix: string;
}

interface FunctionCall {
  readonly keys: readonly string[];
  readonly arguments: readonly string[];
}

/** Settings under which Redis may hold money. */
const SAFE = {
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
};

/**
 * The connection of one simulated process to Redis. Commands and replies keep their order, as on one TCP connection.
 * Both may be late, and the connection may break: then a command that was sent has run, or runs later, or never.
 */
class SimulatedRedisClient extends EventEmitter {
  readonly #options: SimulatedRedisOptions;
  readonly #waiting = new Set<(error: Error) => void>();
  /** Scripts that this process has sent, by their SHA-1. */
  readonly #scripts = new Map<string, string>();
  /** Libraries that this process has loaded. */
  readonly #libraries: string[] = [];
  #isOnline = false;
  #lastSentMs = 0;
  #lastRepliedMs = 0;

  constructor(options: SimulatedRedisOptions) {
    super();
    this.#options = options;
  }

  async connect(): Promise<void> {
    const { host, network } = this.#options;
    await new Promise<void>((resolve) => host.after(network.latencyMs(), resolve));
    this.#isOnline = true;
    this.emit('ready');
  }

  fCall(name: string, { keys, arguments: args }: FunctionCall): Promise<unknown> {
    const { redis } = this.#options;
    return this.#send(name, (nowMs) => redis.call(name, keys, [nowMs, ...args]));
  }

  fCallRo(name: string, call: FunctionCall): Promise<unknown> {
    return this.fCall(name, call);
  }

  get(key: string): Promise<unknown> {
    return this.#command(key, ['GET', key]);
  }

  hKeys(key: string): Promise<unknown> {
    return this.#command(key, ['HKEYS', key]);
  }

  zRem(key: string, member: string): Promise<unknown> {
    return this.#command(key, ['ZREM', key, member]);
  }

  evalSha(sha1: string, call: FunctionCall): Promise<unknown> {
    const script = this.#scripts.get(sha1);
    return script === undefined
      ? Promise.reject(new ErrorReply('NOSCRIPT No matching script'))
      : this.eval(script, call);
  }

  eval(script: string, { keys, arguments: args }: FunctionCall): Promise<unknown> {
    this.#scripts.set(hash('sha1', script), script);
    const text = script.replace(/^#!.*\n/, '');
    return this.fCall('simulated_eval', { keys, arguments: [text, ...args] });
  }

  configGet(): Promise<unknown> {
    return this.#answer(SAFE);
  }

  info(): Promise<unknown> {
    return this.#answer('role:master\r\nconnected_slaves:0\r\n');
  }

  sendCommand([name]: readonly string[]): Promise<unknown> {
    if (name !== 'TIME') return Promise.reject(new ErrorReply(`ERR ${name} is not simulated`));
    return this.#send('TIME', async (nowMs) => [
      String(Math.floor(Number(nowMs) / 1000)),
      String((Number(nowMs) % 1000) * 1000),
    ]);
  }

  functionListWithCode(): Promise<unknown> {
    return this.#answer(this.#libraries.map((code) => ({ library_code: code })));
  }

  functionLoad(code: string): Promise<unknown> {
    const { host, redis } = this.#options;
    if (!this.#isOnline) return this.#answer(undefined);
    this.#libraries.push(code);
    return new Promise((resolve) => host.world.io(() => redis.load(code), resolve));
  }

  // A world lasts minutes. Libraries are removed after a week.
  functionList(): Promise<unknown> {
    return this.#answer([]);
  }
  hGetAll(): Promise<unknown> {
    return this.#answer({});
  }
  hSet(): Promise<unknown> {
    return this.#answer(0);
  }

  /** Messages to subscribers are never delivered: callers must not depend on them. */
  async subscribe(): Promise<void> {}
  async unsubscribe(): Promise<void> {}

  destroy(): void {
    this.#isOnline = false;
  }

  /** Answers at once what is the same in every world, and decides nothing. */
  async #answer(reply: unknown): Promise<unknown> {
    if (!this.#isOnline) throw new ClientOfflineError();
    return reply;
  }

  #command(key: string, words: readonly string[]): Promise<unknown> {
    return this.fCall('simulated_command', { keys: [key], arguments: words });
  }

  #send(name: string, run: (nowMs: string) => Promise<unknown>): Promise<unknown> {
    const { host, network, faults, clockOffsetMs } = this.#options;
    const { world } = host;
    if (!this.#isOnline) return Promise.reject(new ClientOfflineError());
    return new Promise((resolve, reject) => {
      if (!host.isAlive()) return;
      this.#waiting.add(reject);
      const isBroken = faults.isOn && faults.broken > 0 && world.random.chance(faults.broken);
      const sentMs = Math.max(this.#lastSentMs, world.nowMs() + network.latencyMs('kept'));
      this.#lastSentMs = sentMs;
      // A command may still run after its connection broke: Redis has it in the buffer of the socket.
      const isLostOnTheWay = isBroken && world.random.chance(0.5);
      if (isBroken) this.#break();
      if (isLostOnTheWay) return;
      world.at(sentMs, () => {
        const nowMs = String(Math.floor(world.nowMs() + clockOffsetMs));
        world.note(() => `${host.name} redis ${name}`);
        world.io(
          () =>
            run(nowMs).then(
              (value) => ({ value }),
              (error: unknown) => ({ error }),
            ),
          (reply) => {
            const atMs = Math.max(this.#lastRepliedMs, world.nowMs() + network.latencyMs('kept'));
            this.#lastRepliedMs = atMs;
            world.at(atMs, () => {
              if (!this.#waiting.delete(reject)) return;
              world.note(
                () =>
                  `${host.name} redis ${name}: ${JSON.stringify('error' in reply ? String(reply.error) : reply.value)}`,
              );
              host.enter(() => ('error' in reply ? reject(reply.error) : resolve(reply.value)));
            });
          },
        );
      });
    });
  }

  /** Breaks the connection. The client connects again after a while. */
  #break(): void {
    const { host, network } = this.#options;
    const { world } = host;
    world.note(() => `${host.name} loses its connection to Redis`);
    world.count('fault: broken connection to Redis');
    this.#isOnline = false;
    const lost = [...this.#waiting];
    this.#waiting.clear();
    host.after(0, () => {
      this.emit('error', new Error('Socket closed unexpectedly'));
      for (const reject of lost) reject(new Error('Socket closed unexpectedly'));
    });
    host.after(world.random.between(20, 1500) + network.latencyMs(), () => {
      this.#isOnline = true;
      this.emit('ready');
    });
  }
}

/** The product needs only the methods that are simulated. Any other is not a function, which ends the world. */
export const createSimulatedRedisClient = (options: SimulatedRedisOptions): RedisClient =>
  new SimulatedRedisClient(options) as unknown as RedisClient;
