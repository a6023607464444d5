const UNIQUE_VIOLATION = '23505';

/** Whether a write failed because another row has the same values: which rule of the schema said so. */
export function brokenConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  return code === UNIQUE_VIOLATION && typeof constraint === 'string' ? constraint : undefined;
}
