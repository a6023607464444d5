/** The versions in proofs and in the status document. A change of meaning gets a new version. */
export const VERSIONS = {
  policy: 'tollhouse-verified-execution-1.0.0',
  receipt: 'tollhouse-proof-receipt-1.1.0',
  engine: 'tollhouse-one-independent-verification-1.1.0',
} as const;

/**
 * Engines whose verdicts this code can recompute. Another engine may send other queries to the solver, so neither its
 * verdicts nor the hashes of its queries can be compared.
 */
export const RERUNNABLE_ENGINES: ReadonlySet<string> = new Set([VERSIONS.engine]);
