import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import { MULTICALL3_ADDRESS } from '../chain/multicall.ts';
import { COLLECTOR, SETTLEMENT } from '../channels/addresses.ts';
import { Bytes } from '../payment/hex.ts';

const Built = Compile(
  Type.Object({ testUsdc: Bytes, multicall3: Bytes, batchSettlement: Bytes, eip3009Collector: Bytes }),
);

/** Compiled by scripts/generate/build-contracts.ts from the sources beside it. */
const built: unknown = JSON.parse(readFileSync(new URL('contracts/contracts.json', import.meta.url), 'utf8'));
if (!Built.Check(built)) throw new Error('contracts.json does not hold the code of all contracts');
const { testUsdc, multicall3, batchSettlement, eip3009Collector } = built;

/**
 * The contracts of the sandbox, at the addresses that they have on public chains. Without Multicall3 the exact scheme
 * cannot tell a replay from an empty wallet. The last two are those of the scheme `batch-settlement`.
 */
export function contractsWith(asset: Hex) {
  return [
    { address: asset, bytecode: testUsdc },
    { address: MULTICALL3_ADDRESS, bytecode: multicall3 },
    { address: SETTLEMENT, bytecode: batchSettlement },
    { address: COLLECTOR, bytecode: eip3009Collector },
  ];
}
