/** Reasons of a refusal because of another call of the payment's identifier. A payment that is refused so is unused. */
export const IDENTIFIER_REASONS = {
  /** The call is of another request. */
  reused: 'identifier_reused',
  /** Its answer is kept, and whether it is paid is not known. */
  pending: 'identifier_pending',
  inProgress: 'identifier_in_progress',
} as const;
