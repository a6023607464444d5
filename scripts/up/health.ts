const TIMEOUT_MS = 2_000;

export interface GatewayHealth {
  readonly isReady: boolean;
  /** `available`, or why trials are not. */
  readonly trials: string;
  /** The answer itself, or why there is none. */
  readonly text: string;
}

/** What the gateway says of itself at `/health/ready`; never throws. */
export async function readHealth(origin: string): Promise<GatewayHealth> {
  try {
    const response = await fetch(`${origin}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const { trials } = JSON.parse(text) as { readonly trials?: unknown };
    return { isReady: response.ok, trials: String(trials), text };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { isReady: false, trials: 'unknown', text };
  }
}

/** Names of the operations that the gateway sells, as it publishes them. */
export async function readOperations(origin: string): Promise<readonly string[]> {
  const response = await fetch(`${origin}/agent.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { operations } = (await response.json()) as { readonly operations: readonly { readonly name: string }[] };
  return operations.map(({ name }) => name);
}
