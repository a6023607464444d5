import type { ErrorEntry } from './error-entry.ts';
import { CORRECT } from './remedies.ts';

const INTERNAL_ONLY = 'The gateway answers the caller with a public code.';

/** Codes that only processes of this product see. The gateway answers the caller with a public code. */
export const INTERNAL_ERRORS = {
  INVALID_ARGUMENT: {
    grpc: 'INVALID_ARGUMENT',
    meaning: 'A request from another process of this product is invalid. Callers get INVALID_REQUEST.',
    remedy: CORRECT,
  },
  SANDBOX_ONLY: {
    grpc: 'FAILED_PRECONDITION',
    meaning: 'The call is for the sandbox, and this service does not run on play money.',
    remedy: INTERNAL_ONLY,
  },
  CHANNELS_NOT_OFFERED: {
    grpc: 'FAILED_PRECONDITION',
    meaning: 'The call is about payment channels, and this service does not offer them.',
    remedy: INTERNAL_ONLY,
  },
  RECORDS_UNAVAILABLE: {
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'The store of verified execution is not available. Callers get SERVICE_UNAVAILABLE.',
    remedy: INTERNAL_ONLY,
  },
  RETENTION_UNAVAILABLE: {
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'The store of retained bodies is not available.',
    remedy: INTERNAL_ONLY,
  },
  LEDGER_REFUSED: {
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'The ledger refused the call. Nothing was done.',
    remedy: INTERNAL_ONLY,
  },
  LEDGER_UNCERTAIN: {
    grpc: 'UNKNOWN',
    repeat: true,
    meaning: 'The ledger does not know whether the call was done. The same id asks again.',
    remedy: INTERNAL_ONLY,
  },
  LEDGER_CLOSED: {
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'The ledger accepts no reservation, because its database does not commit durably now. Nothing was done.',
    remedy: INTERNAL_ONLY,
  },
  RETENTION_KEY_MISSING: {
    grpc: 'FAILED_PRECONDITION',
    meaning: 'A retained body is encrypted with a key that is not configured.',
    remedy: 'Add the key that the message names to RETENTION_KEYS.',
  },
  RETAINED_BODY_UNREADABLE: {
    grpc: 'DATA_LOSS',
    meaning: 'A retained body does not decrypt: the key of that id is another one, or the row was changed.',
    remedy: 'Check that RETENTION_KEYS has the right key for the id that the message names.',
  },
  JOBS_UNAVAILABLE: {
    grpc: 'UNAVAILABLE',
    repeat: true,
    meaning: 'The store of jobs is not available. Callers get SERVICE_UNAVAILABLE.',
    remedy: INTERNAL_ONLY,
  },
  DEADLINE_EXCEEDED: {
    grpc: 'DEADLINE_EXCEEDED',
    repeat: true,
    meaning: 'The deadline of the call has passed. Callers get UPSTREAM_TIMEOUT.',
    remedy: INTERNAL_ONLY,
  },
  CANCELLED: {
    grpc: 'CANCELLED',
    repeat: true,
    meaning: 'The caller of the service cancelled the call.',
    remedy: INTERNAL_ONLY,
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
