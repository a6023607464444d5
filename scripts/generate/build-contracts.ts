import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Type } from 'typebox';
import { createJsonReader } from '../launch/parse/json-reader.ts';

// Compiles the sandbox's contracts into `contracts.json`. Run this after changing a `.sol` file.

const FOLDER = new URL('../../services/payments/sandbox/contracts/', import.meta.url);
/** File and name of each contract. */
const CONTRACTS = {
  testUsdc: ['test-usdc.sol', 'TestUsdc'],
  multicall3: ['multicall3.sol', 'Multicall3'],
  batchSettlement: ['batch-settlement.sol', 'BatchSettlement'],
  eip3009Collector: ['eip3009-collector.sol', 'Eip3009Collector'],
} as const;

const Bytecode = Type.Object({ evm: Type.Object({ deployedBytecode: Type.Object({ object: Type.String() }) }) });
const parseOutput = createJsonReader(
  Type.Object({
    errors: Type.Optional(Type.Array(Type.Object({ severity: Type.String(), formattedMessage: Type.String() }))),
    contracts: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Bytecode))),
  }),
  'the output of solc',
);

interface Compiler {
  version(): string;
  compile(input: string): string;
}

// solc is a CommonJS module without types, so its type is declared here.
const solc = createRequire(import.meta.url)('solc') as Compiler;

const input = {
  language: 'Solidity',
  sources: Object.fromEntries(
    readdirSync(FOLDER)
      .sort()
      .filter((file) => file.endsWith('.sol'))
      .map((file) => [file, { content: readFileSync(new URL(file, FOLDER), 'utf8') }]),
  ),
  settings: {
    optimizer: { enabled: true, runs: 1_000_000 },
    // Without a metadata hash the bytes depend on the source and the compiler alone.
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  },
};

const output = parseOutput(solc.compile(JSON.stringify(input)));
const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));

const code = Object.entries(CONTRACTS).map(([key, [file, contract]]) => {
  const object = output.contracts?.[file]?.[contract]?.evm.deployedBytecode.object;
  if (!object) throw new Error(`no bytecode for ${contract}`);
  return [key, `0x${object}`];
});
const built = { compiler: solc.version(), ...Object.fromEntries(code) };
const text = `${JSON.stringify(built, null, 2)}\n`;

const target = new URL('contracts.json', FOLDER);
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text)
    throw new Error('contracts.json is not what its sources compile to; run scripts/generate/build-contracts.ts');
} else {
  writeFileSync(target, text);
}
