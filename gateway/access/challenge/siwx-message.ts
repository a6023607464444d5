/** The fields of a challenge, without the address that signs it and its chain. */
export interface ChallengeInfo {
  readonly domain: string;
  readonly uri: string;
  readonly version: '1';
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime: string;
  readonly requestId: string;
  readonly statement: string;
  readonly resources: readonly string[];
}

/**
 * The text that a wallet signs: CAIP-122 for eip155, which is EIP-4361.
 * @param address with the checksum of EIP-55
 * @param chainReference the reference of a CAIP-2 id: 8453 in eip155:8453
 */
export function formatSiwxMessage(info: ChallengeInfo, address: string, chainReference: string): string {
  return [
    `${info.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    info.statement,
    '',
    `URI: ${info.uri}`,
    `Version: ${info.version}`,
    `Chain ID: ${chainReference}`,
    `Nonce: ${info.nonce}`,
    `Issued At: ${info.issuedAt}`,
    `Expiration Time: ${info.expirationTime}`,
    `Request ID: ${info.requestId}`,
    'Resources:',
    ...info.resources.map((resource) => `- ${resource}`),
  ].join('\n');
}
