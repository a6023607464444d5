/* What a run of channels left behind. The model decides by these facts alone, and knows no code of the product. */

/** What a transaction of the contract moved. */
export interface Moved {
  readonly transaction: string;
  readonly channelId: string;
  readonly amount: bigint;
}

/** What the contract counted of a channel. */
export interface ContractAccount {
  readonly deposited: bigint;
  readonly refunded: bigint;
  readonly withdrawn: bigint;
  readonly claimed: bigint;
}

export interface ContractFacts {
  readonly channels: ReadonlyMap<string, ContractAccount>;
  readonly moved: readonly Moved[];
}

/** What came of a request with a voucher. */
export interface ChannelAnswer {
  readonly channelId: string;
  /** What the voucher is for. */
  readonly cumulative: bigint;
  /** Names the request that was sent. */
  readonly tag: string;
  readonly isRefund: boolean;
  /** Whether it was sent at the end, to get again what was charged last. */
  readonly isLast: boolean;
  readonly atMs: number;
  /** Undefined when no answer came. */
  readonly outcome: number | string | undefined;
  readonly body: string;
  /** All charges of the channel, if the answer said so. */
  readonly toldCharged: bigint | undefined;
  /** What the answer says of a transaction. */
  readonly toldMoved: Omit<Moved, 'channelId'> | undefined;
}

export interface Charge {
  readonly channelId: string;
  readonly amount: bigint;
}

export interface ChannelFacts {
  readonly price: bigint;
  /** Charges, by the ids of the reservations. */
  readonly charges: ReadonlyMap<string, Charge>;
  /** The vouchers that the payers of channels signed for calls. */
  readonly signed: ReadonlyMap<string, readonly bigint[]>;
  /** What the ledger says that channels were charged. */
  readonly charged: ReadonlyMap<string, bigint>;
  /** The stored requests and responses, by the ids of the reservations. */
  readonly bodies: ReadonlyMap<string, string>;
  /** Ids of the reservations that are still open. */
  readonly open: readonly string[];
  /** What the audit of the product found. */
  readonly violations: readonly string[];
  readonly contract: ContractFacts;
  readonly executions: readonly { readonly tag: string; readonly atMs: number }[];
  /** Whether a process was stopped for a while: it may execute what another one has charged by then. */
  readonly hasStalls: boolean;
  /** Whether messages were doubled: a request may be charged, and its doubled one refused. */
  readonly hasDoubles: boolean;
  readonly answers: readonly ChannelAnswer[];
}
