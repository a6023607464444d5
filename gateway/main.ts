// Starts the gateway: one process, or several that share its port.

import cluster from 'node:cluster';
import { answerCheck } from '../services/platform/process/check.ts';
import { checkConfig } from './config/config.ts';
import { countProcesses } from './processes/processes.ts';

const processes = countProcesses(process.env);
if (answerCheck((environment) => checkConfig(environment, process.argv.includes('--sandbox')), process.env)) {
  // It has printed the faults.
} else if (cluster.isPrimary && processes > 1) {
  const { startPrimary } = await import('./processes/primary.ts');
  await startPrimary(processes, process.env);
} else await import('./serve.ts');
