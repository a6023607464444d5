import { v7 as uuidv7 } from 'uuid';
import type { Host } from '../engine/host.ts';
import type { Machine } from '../engine/machine.ts';
import { type Network, NetworkError } from '../engine/network.ts';
import type { HttpAnswer, HttpRequest } from '../processes/gateway.ts';

const CLIENT_TIMEOUT_MS = 30_000;

/** Sends a request to a gateway. @returns undefined when no answer came */
export async function send(
  network: Network,
  from: Host,
  gateway: Machine,
  request: Omit<HttpRequest, 'requestId'>,
): Promise<HttpAnswer | undefined> {
  try {
    const call = { to: gateway, method: 'http', request: { ...request, requestId: uuidv7() } };
    return (await network.call(from, { ...call, timeoutMs: CLIENT_TIMEOUT_MS })) as HttpAnswer;
  } catch (error) {
    if (error instanceof NetworkError) return undefined;
    throw error;
  }
}

/** Waits by the clock of a process. */
export const pause = (host: Host, ms: number): Promise<void> => new Promise((resolve) => host.after(ms, resolve));
