/* What a run of trials left behind. The model decides by these facts alone, and knows no code of the product. */

/** An answer to a signed request. */
export interface TrialAnswer {
  /** In lower case. */
  readonly wallet: string;
  readonly nonce: string;
  /** Names the request for which the challenge was issued. */
  readonly tag: string;
  /** Names the request that was sent with the proof. */
  readonly sentTag: string;
  /** Undefined when no answer came. */
  readonly answer:
    | {
        readonly outcome: number | string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
      }
    | undefined;
}

export interface TrialFacts {
  readonly grant: bigint;
  readonly price: bigint;
  /** Crashes of the database. Each may undo reservations that nobody was told about as final. */
  readonly crashes: number;
  /** Ids of the reservations, by the nonces of their proofs. */
  readonly reserved: ReadonlyMap<string, string>;
  /** The wallets that were charged, by the ids of the reservations. */
  readonly charged: ReadonlyMap<string, string>;
  /** The stored requests and responses, by the ids of the reservations. */
  readonly bodies: ReadonlyMap<string, string>;
  /** Ids of the reservations that are still open. */
  readonly open: readonly string[];
  /** What the audit of the product found. */
  readonly violations: readonly string[];
  /** The tag of each execution. */
  readonly executions: readonly string[];
  readonly answers: readonly TrialAnswer[];
}
