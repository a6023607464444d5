const ENGINE = 'tollhouse-one-independent-verification';

/** The engine that judges plans of a format. */
const ENGINES = { 1: `${ENGINE}-1.1.0`, 2: `${ENGINE}-1.2.0` } as const;

/** The versions in the status document. A change of meaning gets a new version. */
export const VERSIONS = {
  policy: 'tollhouse-verified-execution-1.0.0',
  receipt: 'tollhouse-proof-receipt-1.1.0',
  engine: ENGINES[2],
} as const;

export type PlanFormat = keyof typeof ENGINES;

/** The versions in a proof. Plans of format 1 are judged as they were before there was format 2. */
export const versionsOf = (format: PlanFormat) => ({ ...VERSIONS, engine: ENGINES[format] });

/**
 * Engines whose verdicts this code can recompute. Another engine may send other queries to the solver, so neither its
 * verdicts nor the hashes of its queries can be compared.
 */
export const RERUNNABLE_ENGINES: ReadonlySet<string> = new Set(Object.values(ENGINES));
