const MIB = 1024 * 1024;

/*
 * Size limits of a call, from the request to the store. An answer that is too large to be retained must not be executed
 * to its end, so every limit admits what the limits before it admit:
 *
 *   request (8 MiB) + answer (40 MiB) + the rest of the message  =  one gRPC message (48 MiB + 64 KiB)
 *   one gRPC message  <=  one commit (64 MiB)  <=  bytes that wait for a commit (256 MiB)
 *
 * PostgreSQL accepts messages of 1 GiB, and a commit sends its bodies in one. The cipher accepts 64 GiB (NIST SP 800-38D).
 */

/**
 * A request body, in bytes of JSON as sent. A valid body does not grow when it is written again: escapes get shorter,
 * and the few numbers of an operation are bounded.
 */
export const MAX_REQUEST_BYTES = 8 * MIB;

/** The answer of an operation, in bytes of JSON. */
export const MAX_ANSWER_BYTES = 40 * MIB;

/** Room for ids, names and the framing of Protocol Buffers. */
const MESSAGE_ALLOWANCE_BYTES = 64 * 1024;

/** A gRPC message: the largest one retains a request and its answer. */
export const MAX_MESSAGE_BYTES = MAX_REQUEST_BYTES + MAX_ANSWER_BYTES + MESSAGE_ALLOWANCE_BYTES;

/** The bodies of calls that are committed together. */
export const MAX_COMMIT_BYTES = 64 * MIB;

/** The bodies of calls that are encrypted or wait for a commit. */
export const MAX_WAITING_BYTES = 256 * MIB;
