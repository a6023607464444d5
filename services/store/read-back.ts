/**
 * Compares what was stored with what was to be: a record that is not stored as it was given is not answered for.
 * @throws {Error} which ends the transaction
 */
export function assertStored(stored: string | undefined, given: string): void {
  if (stored !== given) throw new Error('a record was not stored as it was given');
}
