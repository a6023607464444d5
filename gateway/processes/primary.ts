import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { AggregatorRegistry } from 'prom-client';
import { ConfigurationError, readEnvironment } from '../../services/platform/process/environment.ts';
import { watchProcess } from '../../services/platform/process/watched-process.ts';
import { GatewayConfig } from '../config/config.ts';
import { answerMetrics } from '../http/shared-metrics.ts';
import { LISTENING } from './processes.ts';

/** Time until a process that has ended is replaced. */
const RESTART_MS = 500;

/**
 * Starts the gateway's processes and replaces those that end. It takes no requests itself: every process listens on the
 * port, and the system distributes the connections. If a process ends before any has listened, the gateway ends.
 */
export async function startPrimary(processes: number, environment: NodeJS.ProcessEnv): Promise<void> {
  const { logger, closeOnExit } = watchProcess('gateway', environment, GatewayConfig);
  const { PORT, HOST } = readEnvironment(GatewayConfig, environment);
  const registry = new AggregatorRegistry();
  let hasListened = false;
  let isClosing = false;

  function fork(): void {
    if (isClosing) return;
    const worker = cluster.fork();
    // Such as a message that did not reach a process which is ending. Without a listener it would end this process.
    worker.on('error', (err) => logger.warn({ err, pid: worker.process.pid }, 'a process of the gateway'));
    worker.on('message', (message: unknown) => {
      hasListened ||= message === LISTENING;
    });
    answerMetrics(worker, () => registry.clusterMetrics());
    worker.once('exit', (code, signal) => {
      if (isClosing) return;
      if (!hasListened) throw startFailure(code);
      logger.error({ pid: worker.process.pid, code, signal }, 'a process of the gateway ended, and is replaced');
      setTimeout(fork, RESTART_MS);
    });
  }

  closeOnExit(async () => {
    isClosing = true;
    await Promise.all(Object.values(cluster.workers ?? {}).map(stop));
  });
  // Two gateways could share a port by mistake, because each of their processes asks the system to share it.
  await assertFree(PORT, HOST);
  for (let started = 0; started < processes; started += 1) fork();
}

/** The process has logged the cause. */
function startFailure(code: number): Error {
  const message = 'a process of the gateway ended before it listened';
  const failure = new ConfigurationError(message);
  return code === failure.exitCode ? failure : new Error(message);
}

async function stop(worker: Worker | undefined): Promise<void> {
  if (worker === undefined || worker.isDead()) return;
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  await exited;
}

/** @throws {Error} EADDRINUSE */
async function assertFree(port: number, host: string): Promise<void> {
  const server = createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
