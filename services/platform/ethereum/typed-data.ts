import { hexWord, numberWord } from './abi-words.ts';
import { keccak256 } from './keccak256.ts';

/** The domain of typed data (EIP-712). */
export interface Domain {
  readonly name: string;
  readonly version: string;
  readonly chainId: bigint | number;
  /** An address with 0x. */
  readonly contract: string;
}

const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';

const hashText = (text: string) => keccak256(Buffer.from(text));

/** The word of a type, with which its structs begin. */
export const typeWord = (type: string): string => Buffer.from(hashText(type)).toString('hex');

/**
 * Creates a function that hashes structs of a domain (EIP-712), for structs without members of dynamic length. viem takes
 * 30 times as long.
 * @returns takes the digits of the words of a struct, the type's first, and returns the 32 bytes that are signed
 */
export function createStructHasher({ name, version, chainId, contract }: Domain): (words: string) => Uint8Array {
  const separator = keccak256(
    Buffer.concat([
      hashText(DOMAIN_TYPE),
      hashText(name),
      hashText(version),
      Buffer.from(numberWord(chainId) + hexWord(contract), 'hex'),
    ]),
  );
  const prefix = Buffer.concat([Buffer.from([0x19, 0x01]), separator]);
  return (words) => keccak256(Buffer.concat([prefix, keccak256(Buffer.from(words, 'hex'))]));
}
