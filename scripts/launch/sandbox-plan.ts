const TIMEOUT_MS = 10_000;
const CONFLICT = 409;

/**
 * Proposes an example with the agent's key, so that a plan waits for the approver. A sandbox gets it once, because the
 * idempotency key is always the same.
 * @param text a plan as YAML
 * @throws {Error} if it is not proposed
 */
export async function ensureSandboxPlan(origin: string, agentKey: string, text: string): Promise<void> {
  const response = await fetch(`${origin}/api/v1/plans`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${agentKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'sandbox-example',
    },
    body: JSON.stringify({ plan_text: text }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // With another text, the idempotency key was used by an earlier release.
  if (!response.ok && response.status !== CONFLICT) throw new Error(await response.text());
}
