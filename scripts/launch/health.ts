/** The gateway asks its services, each for a second at most. */
const TIMEOUT_MS = 3_000;

export interface GatewayHealth {
  readonly isReady: boolean;
  /** `available`, or why trials are not. */
  readonly trials: string;
  /** Names of the services that do not serve. */
  readonly unavailable: readonly string[];
  /** The answer itself, or why there is none. */
  readonly text: string;
}

/** What the gateway says of itself at `/health/ready`; never throws. */
export async function readHealth(origin: string): Promise<GatewayHealth> {
  try {
    const response = await fetch(`${origin}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const { trials, services } = JSON.parse(text) as { readonly trials?: unknown; readonly services?: object };
    const unavailable = Object.entries(services ?? {}).flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
    return { isReady: response.ok, trials: String(trials), unavailable, text };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { isReady: false, trials: 'unknown', unavailable: [], text };
  }
}

/** Names of the operations that the gateway sells, as it publishes them. */
export async function readOperations(origin: string): Promise<readonly string[]> {
  const response = await fetch(`${origin}/agent.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { operations } = (await response.json()) as { readonly operations: readonly { readonly name: string }[] };
  return operations.map(({ name }) => name);
}
