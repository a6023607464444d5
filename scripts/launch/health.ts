import { Type } from 'typebox';
import { createJsonReader } from './parse/json-reader.ts';

/** The gateway waits for each of its services for up to one second. */
const TIMEOUT_MS = 3_000;

export interface GatewayHealth {
  readonly isReady: boolean;
  /** `available`, or why trials are not available. */
  readonly trials: string;
  /** `available`, or why new payments are not accepted. Undefined if the gateway is of an earlier release. */
  readonly payments: string | undefined;
  /** Names of the services that do not serve. */
  readonly unavailable: readonly string[];
  /** The body of the answer, or why there is no answer. */
  readonly text: string;
}

const parseHealth = createJsonReader(
  Type.Object({
    trials: Type.String(),
    payments: Type.Optional(Type.String()),
    services: Type.Record(Type.String(), Type.String()),
  }),
  'the answer of /health/ready',
);
const parseCatalog = createJsonReader(
  Type.Object({ operations: Type.Array(Type.Object({ name: Type.String() })) }),
  'the answer of /agent.json',
);

/** Asks `/health/ready`. Never throws: a gateway that does not answer, or answers something else, is not ready. */
export async function readHealth(origin: string): Promise<GatewayHealth> {
  try {
    const response = await fetch(`${origin}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const { trials, payments, services } = parseHealth(text);
    const unavailable = Object.entries(services).flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
    return { isReady: response.ok, trials, payments, unavailable, text };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { isReady: false, trials: 'unknown', payments: undefined, unavailable: [], text };
  }
}

/** Names of the operations in the gateway's catalog. */
export async function readOperations(origin: string): Promise<readonly string[]> {
  const response = await fetch(`${origin}/agent.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return parseCatalog(await response.text()).operations.map(({ name }) => name);
}
