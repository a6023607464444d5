/**
 * Text forms that several services check, as sources of regular expressions for schemas. UUIDs are in lower case
 * (RFC 9562).
 */

/** A UUID of any version. */
export const UUID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
export const UUID_V7_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
/** SHA-256 in lower-case hex. */
export const SHA256_PATTERN = '^[0-9a-f]{64}$';
/** CAIP-2 id of an EVM chain, such as eip155:8453. */
export const EVM_NETWORK_PATTERN = '^eip155:[1-9][0-9]{0,19}$';

const uuid = new RegExp(UUID_PATTERN);
const uuidV7 = new RegExp(UUID_V7_PATTERN);
const evmNetwork = new RegExp(EVM_NETWORK_PATTERN);

export const isUuid = (text: string): boolean => uuid.test(text);
export const isUuidV7 = (text: string): boolean => uuidV7.test(text);
export const isEvmNetwork = (text: string): boolean => evmNetwork.test(text);
