import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { Bytes } from '../payment/hex.ts';

const Built = Compile(Type.Object({ testUsdc: Bytes, multicall3: Bytes }));

/** Compiled by scripts/generate/build-contracts.ts from the sources beside it. */
const built: unknown = JSON.parse(readFileSync(new URL('contracts/contracts.json', import.meta.url), 'utf8'));
if (!Built.Check(built)) throw new Error('contracts.json does not hold the code of both contracts');

export const TEST_USDC_CODE = built.testUsdc;
export const MULTICALL3_CODE = built.multicall3;
