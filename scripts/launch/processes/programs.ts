/**
 * Flags of processes that wait for others and pass data on. By default, V8 keeps up to 128 MB for new objects while a process
 * is busy, and collects old ones when they are four times as many as were left the last time.
 */
const FREQUENT_COLLECTION = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

export interface Program {
  /** Path of the module, from the root of the checkout. */
  readonly entry: string;
  /** For Node and V8. */
  readonly flags: readonly string[];
}

const serviceOf = (name: string, flags: readonly string[] = []): Program => ({
  entry: `services/${name}/main.ts`,
  flags,
});

/** The programs of the product, by name. */
export const PROGRAMS = {
  gateway: { entry: 'gateway/main.ts', flags: FREQUENT_COLLECTION },
  content: serviceOf('content'),
  maps: serviceOf('maps'),
  payments: serviceOf('payments', FREQUENT_COLLECTION),
  backoffice: serviceOf('backoffice', FREQUENT_COLLECTION),
  verification: serviceOf('verification'),
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof PROGRAMS;
