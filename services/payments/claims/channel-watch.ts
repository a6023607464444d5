import type { RedisClient } from '../../platform/redis/redis-client.ts';
import type { Watch } from './claims.ts';

/**
 * Listens to one channel. A message that is lost while the connection is down costs only time: the waiting caller tries
 * again when `changed` resolves.
 */
export async function watchChannel(subscriber: RedisClient, channel: string): Promise<Watch> {
  let heard = false;
  let wake = () => {};
  const listener = () => {
    heard = true;
    wake();
  };
  const listening = await subscriber.subscribe(channel, listener).then(
    () => true,
    () => false,
  );
  return {
    async changed(timeoutMs) {
      if (!heard) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      heard = false;
    },
    async close() {
      if (listening) await subscriber.unsubscribe(channel, listener).catch(() => {});
    },
  };
}
