// Starts the gateway: one process, or several that share its port.

import cluster from 'node:cluster';
import { countProcesses } from './processes/processes.ts';

const processes = countProcesses(process.env);
if (process.argv.includes('--check')) await import('./check.ts');
else if (cluster.isPrimary && processes > 1) {
  const { startPrimary } = await import('./processes/primary.ts');
  await startPrimary(processes, process.env);
} else await import('./serve.ts');
