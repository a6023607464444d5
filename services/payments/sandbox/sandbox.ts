import { createTestClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { atMostOnce } from '../../platform/at-most-once.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Rpc } from '../chain/nodes.ts';
import { type Block, findReceipt, hasCode, pollFor, readLatestBlock } from '../chain/rpc.ts';
import type { Context } from '../payment/context.ts';
import type { TransactionSender } from '../signer/transaction-sender.ts';
import { createChainReader } from './chain-reader.ts';
import { createSavedChain } from './chain-state.ts';
import { contractsWith } from './contracts.ts';

/** anvil's first development account, and the address of its second. Their keys are public, and they hold no real money. */
export const SANDBOX_SIGNER_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const SANDBOX_PAY_TO: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const FAUCET_ATOMIC = 10_000_000n;
const RECEIPT_MS = 5000;
/**
 * The chain mines only what it is sent, and contracts compare times with that of the latest block. Whoever uses it finds a
 * block that is at most 5 s old. While nobody does, the chain does not grow.
 */
const BLOCK_S = 4n;
const REFRESH_EVERY_MS = 1000;
/** Longest time to load a saved chain, which is one request. */
const LOAD_MS = 30_000;
const ABI = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address account) view returns (uint256)',
]);

export type Sandbox = ReturnType<typeof createSandbox>;

interface SandboxContext extends Pick<Context, 'terms' | 'lock' | 'logger'> {
  readonly rpc: Rpc;
  readonly rpcUrl: string;
  readonly stateFile: string;
  readonly sender: TransactionSender;
}

export function createSandbox({ rpc, rpcUrl, stateFile, terms, sender, lock, logger }: SandboxContext) {
  const anvil = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { timeout: LOAD_MS, retryCount: 0 }) });
  const hasToken = () => hasCode(rpc, terms.asset);
  const saved = createSavedChain({
    rpcUrl,
    anvil,
    file: stateFile,
    lock,
    whileQuiet: sender.whileQuiet,
    isSetUp: hasToken,
    onError: createRepeatedErrorLog({ logger, message: 'the sandbox chain was not saved' }),
  });
  const contracts = contractsWith(terms.asset);

  let savedHash: Hex | undefined;

  const isPrepared = async () => {
    const codes = await Promise.all(contracts.map(({ address }) => rpc.getCode({ address })));
    return codes.every((code, i) => code === defined(contracts[i]).bytecode);
  };

  async function prepare(): Promise<void> {
    if (await isPrepared()) return;
    await lock('sandbox-set-up', async () => {
      if (await isPrepared()) return;
      // A chain that has the token keeps its state. Only the code is renewed.
      const loaded = !(await hasToken()) && (await saved.load());
      for (const contract of contracts) await anvil.setCode(contract);
      logger.info({ loaded }, 'sandbox chain is set up');
    });
  }

  const advance = () => anvil.mine({ blocks: 1 });
  const read = createChainReader(rpcUrl);
  const refresh = atMostOnce({ freshMs: REFRESH_EVERY_MS, monotonicMs: () => performance.now() }, async () => {
    const [latest, next] = await Promise.all([rpc.getBlock(), rpc.getBlock({ blockTag: 'pending' })]);
    // A dump reads one block after the other.
    if (next.timestamp - latest.timestamp >= BLOCK_S) await sender.whileQuiet(advance);
  });
  const refreshOrGoOn = () => refresh().catch(() => {});

  return {
    /** Sets up a chain that is new or empty, or that has the contracts of an earlier release. */
    prepare,
    /** Makes sure that the time of the latest block is not over. Never throws. */
    refresh: refreshOrGoOn,
    /** @throws when the chain was not saved: it may lose what was done since the last save */
    save: saved.save,
    /** Saves the chain in the background. If the machine stops, the last second of the chain may be lost. */
    saveSoon: saved.saveSoon,
    /** Reads the latest block, and makes sure that it is saved. @throws when it is not */
    async readSavedBlock(): Promise<Block> {
      await prepare();
      const block = await readLatestBlock(rpc);
      if (block.hash !== savedHash) await saved.save();
      savedHash = block.hash;
      return block;
    },
    /** Resolves when the chain is saved. */
    close: saved.flush,
    /** Mines a block. */
    advance,
    async read(method: string, paramsJson: string) {
      await refreshOrGoOn();
      return read(method, paramsJson);
    },
    /** Gives an address 10 test USDC. */
    async fund(address: Hex): Promise<{ readonly balance: bigint; readonly transaction: Hex }> {
      // What is sent to a chain that was just restarted makes blocks in place of those that are loaded.
      await prepare();
      const data = encodeFunctionData({ abi: ABI, functionName: 'mint', args: [address, FAUCET_ATOMIC] });
      const transaction = await sender.send({ to: terms.asset, data, gas: 100_000n });
      const receipt = await pollFor(() => findReceipt(rpc, transaction), RECEIPT_MS);
      // A receipt without the token's log means that there was no token: the chain was restarted and is not set up.
      if (receipt?.success !== true || receipt.logs.length === 0) throw new Error('the faucet did not pay');
      const balance = await rpc.readContract({
        address: terms.asset,
        abi: ABI,
        functionName: 'balanceOf',
        args: [address],
      });
      await saved.save();
      return { balance, transaction };
    },
  };
}
