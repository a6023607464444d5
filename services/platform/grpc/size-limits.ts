const MIB = 1024 * 1024;

/*
 * What a call may take, from the request to the store. An answer that is too large to be retained must never be
 * executed to its end, so every limit holds what the ones before it let through:
 *
 *   request (8 MiB) + answer (40 MiB) + the rest of the message  =  one gRPC message (48 MiB + 64 KiB)
 *   one gRPC message  <=  one commit (64 MiB)  <=  what waits for a commit (256 MiB)
 *
 * PostgreSQL takes messages of 1 GiB. Its driver writes the bodies of a commit as hexadecimal text, of which a string
 * of V8 holds 512 MiB: a commit of 64 MiB makes 128 MiB of it. The cipher takes 64 GiB (NIST SP 800-38D).
 */

/**
 * A request body, in bytes of JSON as it was sent. Once it is valid, it does not grow when it is written again: escapes
 * get shorter, and the few numbers that an operation takes are bounded.
 */
export const MAX_REQUEST_BYTES = 8 * MIB;

/** The answer of an operation, in bytes of JSON. */
export const MAX_ANSWER_BYTES = 40 * MIB;

/** Ids, names and the framing of Protocol Buffers. */
const MESSAGE_ALLOWANCE_BYTES = 64 * 1024;

/** A gRPC message: the largest one retains a request and its answer. */
export const MAX_MESSAGE_BYTES = MAX_REQUEST_BYTES + MAX_ANSWER_BYTES + MESSAGE_ALLOWANCE_BYTES;

/** The bodies of calls that are committed together. */
export const MAX_COMMIT_BYTES = 64 * MIB;

/** The bodies of calls that are sealed or wait for a commit. */
export const MAX_WAITING_BYTES = 256 * MIB;
