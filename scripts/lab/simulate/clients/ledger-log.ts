import { v7 as uuidv7 } from 'uuid';
import type { World } from '../engine/world.ts';
import type { Ask, Told } from '../model/ledger-facts.ts';
import type { SimulatedDatabase } from '../postgres/simulated-database.ts';

/** What callers asked and were told. It outlives them. */
export interface LedgerLog {
  readonly asks: Ask[];
  readonly told: Told[];
  readonly postsSent: Map<string, number>;
  readonly voidsSent: Map<string, number>;
}

export const createLedgerLog = (): LedgerLog => ({
  asks: [],
  told: [],
  postsSent: new Map(),
  voidsSent: new Map(),
});

interface Answer {
  readonly state: string;
  readonly balanceMicroUsd?: bigint | undefined;
}

/** Writes down what one call of the ledger was told. A call that throws was told nothing. */
export async function logged<Given extends Answer>(
  { log, world, database }: { readonly log: LedgerLog; readonly world: World; readonly database: SimulatedDatabase },
  { call, id }: Pick<Told, 'call' | 'id'>,
  ask: () => Promise<Given>,
): Promise<Given> {
  const [sentMs, sentLife] = [world.nowMs(), database.life()];
  const sent = { post: log.postsSent, void: log.voidsSent, reserve: undefined }[call];
  if (sent?.has(id) === false) sent.set(id, sentMs);
  const answer = await ask();
  const { state, balanceMicroUsd: balance } = answer;
  world.count(`ledger: ${call} ${state}`);
  world.note(() => `${call} ${id}: ${state} ${balance}`);
  const [toldMs, toldLife] = [world.nowMs(), database.life()];
  log.told.push({ call, id, state, balance, sentMs, sentLife, toldMs, toldLife });
  return answer;
}

const AMOUNTS = [3000n, 14_000n, 26_000n, 40_000n] as const;

/** What a caller asks. One that is not its own is only repeated: the caller that drew it posts or voids. */
export interface DrawnAsk {
  readonly ask: Ask;
  readonly isOwn: boolean;
}

/** Draws what a caller asks next: something new, an earlier ask again, or an earlier nonce for another call. */
export function drawAsk(
  { random, nowMs }: World,
  wallets: readonly [string, ...string[]],
  { asks }: LedgerLog,
): DrawnAsk {
  const [first, ...rest] = asks;
  const earlier = first === undefined ? undefined : random.pick([first, ...rest]);
  if (earlier !== undefined && random.chance(0.15)) return { ask: earlier, isOwn: false };
  const isReplay = earlier !== undefined && random.chance(0.2);
  const bytes = Buffer.alloc(16);
  random.fill(bytes);
  const ask: Ask = {
    id: uuidv7({ msecs: nowMs(), random: bytes }),
    wallet: random.pick(wallets),
    nonce: isReplay ? earlier.nonce : random.hex(16),
    expiresMs: isReplay ? earlier.expiresMs : Math.floor(nowMs()) + random.pick([1500, 120_000, 300_000]),
    deadlineMs: Math.floor(nowMs()) + random.between(100, 30_000),
    amount: random.pick(AMOUNTS),
  };
  asks.push(ask);
  return { ask, isOwn: true };
}
