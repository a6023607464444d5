import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import { Bytes } from '../payment/hex.ts';

const Built = Compile(Type.Object({ testUsdc: Bytes, multicall3: Bytes }));

/** Compiled by scripts/generate/build-contracts.ts from the sources beside it. */
const built: unknown = JSON.parse(readFileSync(new URL('contracts/contracts.json', import.meta.url), 'utf8'));
if (!Built.Check(built)) throw new Error('contracts.json does not hold the code of both contracts');

export const TEST_USDC_CODE = built.testUsdc;
export const MULTICALL3_CODE = built.multicall3;
/** Its address on every public chain. Without it the exact scheme cannot tell a replay from an empty wallet. */
export const MULTICALL3_ADDRESS: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';
