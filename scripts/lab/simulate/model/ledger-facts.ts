/* What a run of the ledger left behind. The model decides by these facts alone, and knows no code of the product. */

/** What a caller wants to reserve. */
export interface Ask {
  readonly id: string;
  readonly wallet: string;
  readonly nonce: string;
  readonly expiresMs: number;
  readonly deadlineMs: number;
  readonly amount: bigint;
}

/** An answer that a caller got. Lives are those of the database, which end with its crashes. */
export interface Told {
  readonly call: 'reserve' | 'post' | 'void';
  readonly id: string;
  readonly state: string;
  readonly balance: bigint | undefined;
  readonly sentMs: number;
  readonly toldMs: number;
  readonly sentLife: number;
  readonly toldLife: number;
}

export interface Entry {
  readonly account: string;
  readonly amount: bigint;
  readonly day: string;
}

export interface LedgerFacts {
  readonly grant: bigint;
  readonly dailyBudget: bigint;
  readonly asks: readonly Ask[];
  /** In the order in which the callers were told. */
  readonly told: readonly Told[];
  /** When the first post and void of each id were sent. */
  readonly postsSent: ReadonlyMap<string, number>;
  readonly voidsSent: ReadonlyMap<string, number>;
  /** By id. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** The stored answers by id, as `<request> <response>`. */
  readonly bodies: ReadonlyMap<string, string>;
  readonly balances: ReadonlyMap<string, bigint>;
  /** Ids of the reservations that are still open. */
  readonly open: readonly string[];
  /** What the audit found. */
  readonly violations: readonly string[];
}
