import { createLogger, type Logger } from '../../../../services/platform/process/logger.ts';
import type { Faults } from '../engine/faults.ts';
import type { Host } from '../engine/host.ts';
import type { Network } from '../engine/network.ts';
import type { World } from '../engine/world.ts';
import type { SharedRedis } from '../redis/redis-server.ts';
import { createSimulatedRedisClient } from '../redis/simulated-client.ts';
import type { Tables } from '../store/tables.ts';

/** What all processes of one world share. */
export interface Setting {
  readonly world: World;
  readonly faults: Faults;
  readonly network: Network;
  readonly redis: SharedRedis;
  readonly tables: Tables;
  /** CAIP-2. Each world has its own, so worlds never touch each other's keys. */
  readonly caip2: `eip155:${number}`;
  readonly redisOffsetMs: number;
}

export const logger: Logger = createLogger({ name: 'simulation', level: 'silent' });

export const prefixOf = ({ caip2 }: Pick<Setting, 'caip2'>): string => `tollhouse:{${caip2}}:`;

/** A connection of a process to Redis. */
export function connectRedis(setting: Setting, host: Host) {
  const { redis, network, faults, redisOffsetMs: clockOffsetMs } = setting;
  return createSimulatedRedisClient({ host, redis, network, faults, clockOffsetMs, prefix: prefixOf(setting) });
}

/** Repeats work in a process at intervals, as the product's recurring jobs do. A failure ends one run. */
export function repeat(host: Host, everyMs: () => number, work: (signal: AbortSignal) => Promise<unknown>): void {
  const { signal } = new AbortController();
  const run = async (): Promise<void> => {
    await work(signal).catch(() => {});
    host.after(everyMs(), () => void run());
  };
  void run();
}
