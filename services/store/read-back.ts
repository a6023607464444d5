/**
 * Checks that a record was stored as it was given.
 * @throws {Error} which ends the transaction
 */
export function assertStored(stored: string | null | undefined, given: string): void {
  if (stored !== given) throw new Error('a record was not stored as it was given');
}
