import { createApi } from '../../../cli/try/api.ts';
import { describeTools } from '../../../cli/try/flow-calls.ts';
import { readToolFile } from '../../../cli/try/run-file.ts';
import { readHealth } from '../../../launch/health.ts';
import { runFolderOf } from '../../../launch/processes/run-folder.ts';
import { createSupervisor } from '../../../launch/processes/supervisor.ts';
import { waitFor } from '../../../launch/processes/wait-for.ts';
import { ensureSandboxKeys, type SandboxKeys } from '../../../launch/sandbox-keys.ts';
import { freePort } from '../../../launch/servers/free-port.ts';
import { readSettings } from '../../../launch/settings.ts';
import { gatewayUnit, serverlessUnits, serverUnits, serviceUnits } from '../../../launch/units.ts';

const START_MS = 90_000;
/** The maximum delay of the supervisor before a restart, plus the time to start. */
const RECOVERY_MS = 120_000;

const SERVERS = ['redis', 'postgres', 'anvil'] as const;
const SERVICES = ['content', 'maps', 'payments', 'backoffice', 'verification'] as const;
const SECOND_COPIES = ['content2', 'maps2', 'payments2', 'backoffice2', 'verification2'] as const;
const GATEWAYS = ['gateway', 'gateway2'] as const;

/** All processes that can be killed or stopped. */
export const VICTIMS = [...SERVERS, ...SERVICES, ...SECOND_COPIES, ...GATEWAYS] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Product {
  readonly origins: readonly [string, string];
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly chainUrl: string;
  readonly keys: SandboxKeys;
  readonly pidOf: (victim: Victim) => number | undefined;
  /** Waits until all gateways are healthy. @returns the gateways that are not healthy after the time limit */
  readonly recovered: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

/** Starts the whole product as `npm start` does, with the same supervisor, and two copies of each process but the servers. */
export async function startProduct(dataDir: string, report: (line: string) => void): Promise<Product> {
  const [port, secondPort] = [await freePort(), await freePort()];
  const settings = readSettings({ TOLLHOUSE_DATA: dataDir, PORT: String(port), LOG_LEVEL: 'info' });
  const ports = new Map<string, readonly number[]>();
  for (const name of SERVICES) ports.set(name, [await freePort(), await freePort()]);
  const layout = { settings, runDir: runFolderOf(dataDir), ports };
  const supervisor = createSupervisor({ report, onUnusable: ({ message }) => report(message) });
  const origins = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${secondPort}`] as const;

  const unhealthy = async (): Promise<readonly string[]> => {
    const healths = await Promise.all(origins.map(readHealth));
    const isWell = ({ isReady, trials, unavailable }: (typeof healths)[number]) =>
      isReady && trials === 'available' && unavailable.length === 0;
    return healths.flatMap((health, index) => (isWell(health) ? [] : [`${GATEWAYS[index]}: ${health.text}`]));
  };
  const recovered = async (timeoutMs: number) => {
    await waitFor(async () => (await unhealthy()).length === 0, { timeoutMs });
    return unhealthy();
  };
  const stop = async () => {
    for (const names of [GATEWAYS, [...SERVICES, ...SECOND_COPIES], SERVERS]) await supervisor.stop(names);
  };

  try {
    const servers = await serverUnits(layout);
    await Promise.all(servers.units.map(supervisor.keep));
    const urls = servers.urls();
    const { redis: redisUrl, postgres: databaseUrl, anvil: chainUrl } = urls;
    if (redisUrl === undefined || databaseUrl === undefined || chainUrl === undefined)
      throw new Error('the address of a server is missing');
    const { services, gateway } = serviceUnits(layout, urls);
    const second = gatewayUnit(layout, urls, { name: 'gateway2', port: secondPort });
    await Promise.all([...serverlessUnits(layout), ...services, gateway, second].map(supervisor.keep));
    const faults = await recovered(START_MS);
    if (faults.length > 0) throw new Error(`the product did not start: ${faults.join('; ')}`);
    const keys = await ensureSandboxKeys(databaseUrl, dataDir);
    const unlimited = readToolFile().map((tool) => ({ ...tool, limits: [] }));
    await describeTools(createApi(origins[0], keys.approver), unlimited);
    const { pidOf } = supervisor;
    return { origins, redisUrl, databaseUrl, chainUrl, keys, pidOf, recovered: () => recovered(RECOVERY_MS), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
