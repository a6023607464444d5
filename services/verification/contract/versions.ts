/** The versions that proofs and the status document name. A change of meaning gets a new version. */
export const VERSIONS = {
  policy: 'tollhouse-verified-execution-1.0.0',
  receipt: 'tollhouse-proof-receipt-1.1.0',
  engine: 'tollhouse-one-independent-verification-1.1.0',
} as const;

/**
 * Engines whose verdicts this code can work out again. Another engine may ask the solver other questions, so its verdicts
 * and the hashes of its questions cannot be compared with ours.
 */
export const RERUNNABLE_ENGINES: ReadonlySet<string> = new Set([VERSIONS.engine]);
