import type { Hex } from 'viem';

/** What came back from a gateway; undefined where the connection broke before an answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A signed request on free credit. It may have been sent several times. */
export interface TrialRecord {
  readonly operation: string;
  readonly priceMicroUsd: bigint;
  readonly wallet: Hex;
  readonly nonce: string;
  readonly answers: readonly (Answer | undefined)[];
}

/** How a payment was answered, over HTTP or as a tool. */
export type PaidReply =
  | { readonly kind: 'settled'; readonly text: string; readonly transaction: Hex }
  /** Told that the payment will never settle. */
  | { readonly kind: 'failed' }
  /** Told to pay: nothing was executed. */
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

/** A proof that verified execution issued. */
export interface ProofRecord {
  readonly proofId: string;
  readonly run: string;
}

/** All that clients did and were told. */
export interface Books {
  readonly trials: TrialRecord[];
  readonly payments: PaymentRecord[];
  readonly proofs: ProofRecord[];
  /** How calls of a kind ended. */
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
