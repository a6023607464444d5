import type { Hex } from 'viem';

/** The answer of a gateway. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A signed request that uses free credit. It may have been sent several times. */
export interface TrialRecord {
  readonly operation: string;
  readonly priceMicroUsd: bigint;
  readonly wallet: Hex;
  readonly nonce: string;
  /** Undefined if the connection broke before the answer was complete. */
  readonly answers: readonly (Answer | undefined)[];
}

/** The answer to a payment, over HTTP or as an MCP tool. */
export type PaidReply =
  | { readonly kind: 'settled'; readonly text: string; readonly transaction: Hex }
  /** The client was told that the payment will never settle. */
  | { readonly kind: 'failed' }
  /** The client was asked to pay. Nothing was executed. */
  | { readonly kind: 'unpaid'; readonly reason: string }
  | { readonly kind: 'error'; readonly code: string }
  | { readonly kind: 'broken' };

/** A signed payment. It may have been sent several times, to several gateways. */
export interface PaymentRecord {
  readonly operation: string;
  readonly amount: bigint;
  readonly payer: Hex;
  readonly payTo: Hex;
  readonly nonce: Hex;
  readonly replies: PaidReply[];
}

/** A call by voucher. It may have been sent several times, to several gateways. */
export interface ChannelCallRecord {
  /** What the voucher is for: this call and all calls before it. */
  readonly cumulative: bigint;
  /** Undefined if the connection broke before the answer was complete. */
  readonly answers: (Answer | undefined)[];
}

/** A payment channel and the calls that were signed for it. */
export interface ChannelRecord {
  readonly channelId: Hex;
  readonly payer: Hex;
  readonly calls: ChannelCallRecord[];
}

/** A proof that verified execution issued. */
export interface ProofRecord {
  readonly proofId: string;
  readonly run: string;
}

/** The record of all requests of the clients and of their answers. */
export interface Books {
  readonly trials: TrialRecord[];
  readonly payments: PaymentRecord[];
  readonly channels: ChannelRecord[];
  readonly proofs: ProofRecord[];
  /** Number of calls by kind and outcome. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly contradictions: readonly string[];
  count(kind: string, outcome: string): void;
  contradict(what: string, details: unknown): void;
}

export function createBooks(): Books {
  const counts = new Map<string, Map<string, number>>();
  const contradictions: string[] = [];
  return {
    trials: [],
    payments: [],
    channels: [],
    proofs: [],
    counts,
    contradictions,
    count(kind, outcome) {
      const ofKind = counts.get(kind) ?? new Map<string, number>();
      counts.set(kind, ofKind.set(outcome, (ofKind.get(outcome) ?? 0) + 1));
    },
    contradict(what, details) {
      contradictions.push(`${what}\n${JSON.stringify(details, toJson, 2)}`);
    },
  };
}

function toJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Headers ? Object.fromEntries(value) : value;
}
