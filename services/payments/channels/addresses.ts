import type { Hex } from 'viem';

/** The contract of the scheme `batch-settlement`, at the same address on every chain. */
export const SETTLEMENT: Hex = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003';
/** Collects deposits with authorizations of EIP-3009. */
export const COLLECTOR: Hex = '0x4020806089470a89826cB9fB1f4059150b550004';
