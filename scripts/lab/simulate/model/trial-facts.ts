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
  readonly dailyBudget: bigint;
  /** The entries of the ledger's journal, in their order. */
  readonly journal: readonly string[];
  /** Ids of the reservations that are still open. */
  readonly pending: readonly string[];
  /** Balance, reserved and spent of each wallet, as Redis stores them. */
  readonly wallets: ReadonlyMap<
    string,
    { readonly balance: bigint; readonly reserved: bigint; readonly spent: bigint }
  >;
  /** The nonces of the trials whose results are retained, by record id. */
  readonly retained: ReadonlyMap<string, string>;
  /** The tag of each execution. */
  readonly executions: readonly string[];
  readonly answers: readonly TrialAnswer[];
}
