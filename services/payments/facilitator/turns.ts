import type { Hex } from 'viem';

export interface Conditions<Taken> {
  /** How many payments of the payer may be on their way with this one. */
  readonly most: number;
  readonly untilMs: number;
  /** Takes what the payment needs. @returns undefined where too little is left */
  readonly take: () => Promise<Taken | undefined>;
}

/** `refused`: too little is left, and no payment of the payer that is on its way can give anything back. */
export type Turn<Taken> =
  | { readonly kind: 'taken'; readonly taken: Taken; readonly end: () => void }
  | { readonly kind: 'refused' | 'late' };

/** Lets a payment wait for its turn, while others of its payer are on their way. Throws what `take` throws. */
export type WaitForTurn = <Taken>(payer: Hex, conditions: Conditions<Taken>) => Promise<Turn<Taken>>;

/** The payments of one payer. */
interface Line {
  underWay: number;
  waiting: number;
  /** Ends when the payment before the next one has its turn. */
  last: Promise<unknown>;
  wake: () => void;
}

export function createTurns(): WaitForTurn {
  const lines = new Map<Hex, Line>();
  return async (payer, conditions) => {
    const line = lines.get(payer) ?? { underWay: 0, waiting: 0, last: Promise.resolve(), wake: () => undefined };
    lines.set(payer, line);
    const forget = () => {
      if (line.underWay + line.waiting === 0) lines.delete(payer);
    };
    const turn = line.last.then(() => comeFirst(line, conditions));
    line.last = turn.catch(() => undefined);
    line.waiting += 1;
    try {
      const { kind, taken } = await turn;
      if (kind !== 'taken') return { kind };
      const end = () => {
        line.underWay -= 1;
        line.wake();
        forget();
      };
      return { kind, taken, end };
    } finally {
      line.waiting -= 1;
      forget();
    }
  };
}

type First<Taken> =
  | { readonly kind: 'taken'; readonly taken: Taken }
  | { readonly kind: 'refused' | 'late'; readonly taken?: never };

/** The turn of the first payment in line. */
async function comeFirst<Taken>(line: Line, { most, untilMs, take }: Conditions<Taken>): Promise<First<Taken>> {
  while (performance.now() < untilMs) {
    const others = line.underWay;
    const taken = others < most ? await take() : undefined;
    if (taken !== undefined) {
      line.underWay += 1;
      return { kind: 'taken', taken };
    }
    if (others === 0) return { kind: 'refused' };
    if (line.underWay === others) await waitForEnd(line, untilMs);
  }
  return { kind: 'late' };
}

/** Waits until a payment on its way has ended. */
const waitForEnd = (line: Line, untilMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, untilMs - performance.now());
    line.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
