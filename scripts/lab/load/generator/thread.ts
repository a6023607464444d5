// A thread that prepares and sends calls.

import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { createScenario } from '../scenarios/index.ts';
import { clockMs, drive } from './drive.ts';
import type { FromThread, ThreadPlan, ThreadSettings, ToThread } from './messages.ts';
import { createRecords } from './records.ts';

const REPORT_EVERY_MS = 250;
const TIMEOUT_MS = 60_000;

const port = parentPort;
if (port === null) throw new Error('this file is a worker thread');
// Both ends are this program.
const settings = workerData as ThreadSettings;
const { origin, mix, keys, page, seed, connections, channels } = settings;
const pool = new Pool(origin, {
  connections,
  pipelining: 1,
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
});
const scenario = createScenario(mix, { origin, pool, keys, page, seed, channels });
const tell = (message: FromThread) => port.postMessage(message);

async function run(plan: ThreadPlan): Promise<void> {
  const records = createRecords(plan.startMs);
  const report = (untilMs: number) => {
    for (const second of records.takeBefore(untilMs)) tell({ kind: 'second', second });
  };
  const timer = setInterval(() => report(clockMs()), REPORT_EVERY_MS);
  const isOutOfStock = await drive(scenario, plan, records).finally(() => clearInterval(timer));
  report(Number.POSITIVE_INFINITY);
  tell({ kind: 'ended', isOutOfStock });
}

port.on('message', (message: ToThread) => {
  const work =
    message.kind === 'prepare'
      ? scenario.prepare(message.count).then(() => tell({ kind: 'prepared' }))
      : run(message.plan);
  work.catch((error: unknown) =>
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
