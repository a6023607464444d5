import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';

/** Compiled by scripts/generate/build-contracts.ts from the sources beside it. */
const built = JSON.parse(readFileSync(new URL('contracts/contracts.json', import.meta.url), 'utf8')) as Record<
  'testUsdc' | 'multicall3',
  Hex
>;

export const TEST_USDC_CODE = built.testUsdc;
export const MULTICALL3_CODE = built.multicall3;
/** Where every public chain has it. Without it the exact scheme cannot tell a replay from an empty wallet. */
export const MULTICALL3_ADDRESS: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';
