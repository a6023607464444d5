import { hasCode } from '../platform/process/system-error.ts';

const UNIQUE_VIOLATION = '23505';

/** Name of the unique constraint that a write violated; undefined for any other error. */
export function brokenConstraint(error: unknown): string | undefined {
  if (!hasCode(error, UNIQUE_VIOLATION) || !(error instanceof Error) || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}
