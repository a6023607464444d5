/** The versions in the status document and in proofs. A change of meaning gets a new version. */
export const VERSIONS = {
  policy: 'tollhouse-verified-execution-1.0.0',
  receipt: 'tollhouse-proof-receipt-1.2.0',
  engine: 'tollhouse-one-independent-verification-1.6.0',
} as const;
