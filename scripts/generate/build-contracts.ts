import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Compiles the sandbox's contracts into `contracts.json`. Run it after a change of a `.sol` file. */
const FOLDER = new URL('../../services/payments/sandbox/contracts/', import.meta.url);
const SOURCES = { testUsdc: ['test-usdc.sol', 'TestUsdc'], multicall3: ['multicall3.sol', 'Multicall3'] } as const;

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Record<
    string,
    Record<string, { readonly evm: { readonly deployedBytecode: { readonly object: string } } }>
  >;
}

interface Compiler {
  version(): string;
  compile(input: string): string;
}

// solc has no types and no ES module.
const solc = createRequire(import.meta.url)('solc') as Compiler;

const input = {
  language: 'Solidity',
  sources: Object.fromEntries(
    Object.values(SOURCES).map(([file]) => [file, { content: readFileSync(new URL(file, FOLDER), 'utf8') }]),
  ),
  settings: {
    optimizer: { enabled: true, runs: 1_000_000 },
    // Without a metadata hash the bytes depend on the source and the compiler alone.
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  },
};

const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput;
const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));

const code = Object.entries(SOURCES).map(([key, [file, contract]]) => {
  const object = output.contracts[file]?.[contract]?.evm.deployedBytecode.object;
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
