import { fileURLToPath } from 'node:url';
import { startTied } from '../../scripts/launch/processes/tied-process.ts';
import { freePort } from '../../scripts/launch/servers/free-port.ts';
import { entryPoint } from './entry-point.ts';
import { gatewayEnvironment } from './gateway-environment.ts';
import { isGatewayReady } from './gateway-readiness.ts';
import { INHERITED } from './inherited.ts';
import type { Environment, StackAddresses } from './stack.ts';
import { createTestFolder } from './test-folder.ts';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Services of every stack. */
const SERVICES = ['content', 'payments', 'backoffice'];
const STOP_GRACE_MS = 3000;

export interface ExtraGateway {
  /** The gateway's origin. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when it has ended. */
  readonly exited: Promise<string>;
  log(): readonly string[];
  stop(): Promise<void>;
}

/** Starts another gateway of a stack with other settings, which is cheaper than another stack. Ends with this process. */
export async function startExtraGateway(stack: StackAddresses, env: Environment): Promise<ExtraGateway> {
  const folder = createTestFolder();
  const { log } = folder.place('gateway');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const gateway = startTied({
    command: process.execPath,
    args: [entryPoint('gateway/main.ts')],
    cwd: ROOT,
    output: log.output,
    env: {
      ...INHERITED,
      TOLLHOUSE_DATA: stack.dataDir,
      REDIS_URL: stack.redisUrl,
      ...gatewayEnvironment(stack.runDir, port),
      ...env,
    },
  });
  const isReady = () => isGatewayReady(`${url}/health/ready`, { withoutTrials: false, services: SERVICES });
  await until(isReady, { child: gateway, log });
  return {
    url,
    pid: gateway.pid,
    exited: gateway.exited,
    log: () => log.tail(200),
    async stop() {
      await gateway.stop('SIGTERM', STOP_GRACE_MS);
      folder.remove();
    },
  };
}
