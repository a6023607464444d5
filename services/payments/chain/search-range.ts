/** Nearly three hours of Base. Authorizations are valid for one hour. */
const RECENT_BLOCKS = 5000n;

/**
 * How far before its first known block a transaction is searched. The nodes behind one URL differ by some blocks, and a
 * reorganization can move a transaction to an earlier block: it may be in one that is older than its record.
 */
const EARLIER_BLOCKS = 128n;

const before = (block: bigint, blocks: bigint): bigint => (block > blocks ? block - blocks : 0n);

/** The first block in which an authorization may be that is still valid, or was a moment ago. */
export const recentBlock = (latest: bigint): bigint => before(latest, RECENT_BLOCKS);

/** The first block to search for what was recorded at a block. */
export const earlierThan = (block: bigint): bigint => before(block, EARLIER_BLOCKS);
