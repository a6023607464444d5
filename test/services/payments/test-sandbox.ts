import { join } from 'node:path';
import { createTestClient, type Hex } from 'viem';
import { startAnvil } from '../../../scripts/launch/servers/anvil.ts';
import type { RunningServer } from '../../../scripts/launch/servers/server.ts';
import { contractsWith } from '../../../services/payments/sandbox/contracts.ts';
import { toChain } from '../../kit/chain.ts';
import { startTestAnvil } from '../../kit/servers.ts';
import { createTestDatabase, type TestDatabase } from '../../kit/test-database.ts';

export interface TestSandbox extends RestartableChain, Pick<TestDatabase, 'database'> {
  readonly databaseUrl: string;
}

/** The asset of the sandbox: USDC at the address that it has on Base. */
export const SANDBOX_ASSET: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** Puts the contracts of the sandbox on a chain, as a payments service of the sandbox does. */
export async function placeContracts(rpcUrl: string): Promise<void> {
  const anvil = createTestClient({ mode: 'anvil', transport: toChain(rpcUrl) });
  for (const contract of contractsWith(SANDBOX_ASSET)) await anvil.setCode(contract);
}

export interface RestartableChain {
  /** The environment of a payments service of the sandbox. */
  readonly env: Readonly<Record<string, string>>;
  /** The file of the chain's saved state. */
  readonly stateFile: string;
  readonly rpcUrl: string;
  /** Kills the chain with SIGKILL. */
  killChain(): Promise<void>;
  /** Starts an empty chain at the same port. */
  restartChain(): Promise<void>;
  stop(): Promise<void>;
}

export async function startChain(): Promise<RestartableChain> {
  const anvil = await startTestAnvil();
  let later: RunningServer | undefined;
  const stateFile = join(anvil.folder.path, 'state');
  return {
    env: { SANDBOX_RPC_URL: anvil.url, SANDBOX_STATE_FILE: stateFile, TOLLHOUSE_DATA: anvil.folder.path },
    stateFile,
    rpcUrl: anvil.url,
    killChain: () => anvil.kill(),
    async restartChain() {
      later = await startAnvil({ ...anvil.folder.place('anvil'), port: Number(new URL(anvil.url).port) });
    },
    async stop() {
      await later?.stop();
      await anvil.stop();
    },
  };
}

/** Starts a PostgreSQL and a chain. */
export async function startSandbox(): Promise<TestSandbox> {
  const [postgres, chain] = await Promise.all([createTestDatabase(), startChain()]);
  return {
    ...chain,
    env: { ...chain.env, DATABASE_URL: postgres.url },
    databaseUrl: postgres.url,
    database: postgres.database,
    async stop() {
      await Promise.all([postgres.stop(), chain.stop()]);
    },
  };
}
