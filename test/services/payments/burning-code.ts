import { type Hex, numberToHex } from 'viem';

/** EVM code that accepts every signature (ERC-1271) up to a block, and uses up all gas in later ones. */
export const burningAfter = (blockNumber: bigint): Hex =>
  `0x63${numberToHex(blockNumber, { size: 4 }).slice(2)}4311601857631626ba7e60e01b5f5260205ff35bfe`;

/** Code of a wallet that says yes to every signature (ERC-1271). */
export const ACCEPTING = '0x631626ba7e60e01b5f5260205ff3';
