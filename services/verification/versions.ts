/** What proofs and the status document say of the rules that they were made by. A change of meaning is a new version. */
export const VERSIONS = {
  policy: 'tollhouse-verified-execution-1.0.0',
  receipt: 'tollhouse-proof-receipt-1.0.0',
  engine: 'tollhouse-one-independent-verification-1.0.0',
} as const;
