import type { Hex } from 'viem';
import { pollFor } from '../chain/rpc.ts';
import type { Reservation } from '../signer/gas-budget.ts';

/**
 * Lets the payments of a payer wait in line until there is room for them, and asks for the first one only.
 * @returns `full` if there was no room in time. Throws what `reserve` throws
 */
export type WaitForTurn = (payer: Hex, untilMs: number, reserve: () => Promise<Reservation>) => Promise<Reservation>;

export function createTurns(): WaitForTurn {
  const lines = new Map<Hex, Promise<unknown>>();
  return async (payer, untilMs, reserve) => {
    const ask = async () => {
      const reservation = await reserve();
      return reservation === 'full' ? undefined : reservation;
    };
    const before = lines.get(payer) ?? Promise.resolve();
    const turn = before.then(async () => {
      const leftMs = untilMs - performance.now();
      return (leftMs > 0 ? await pollFor(ask, leftMs) : undefined) ?? 'full';
    });
    const line = turn.catch(() => undefined);
    lines.set(payer, line);
    try {
      return await turn;
    } finally {
      if (lines.get(payer) === line) lines.delete(payer);
    }
  };
}
