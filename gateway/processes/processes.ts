import { availableParallelism } from 'node:os';

/** Of the processor time of a call, less than half is the gateway's. The rest is that of services and servers. */
const CORES_PER_PROCESS = 2;

/** What a process sends to the primary process once it takes requests. Node tells it only of ports that it shares itself. */
export const LISTENING = 'tollhouse:listening';

/** The number of gateway processes. A value that is not valid counts as 1: that process then reports the error. */
export function countProcesses({ GATEWAY_PROCESSES = '' }: NodeJS.ProcessEnv): number {
  if (/^[1-9]\d?$/.test(GATEWAY_PROCESSES)) return Number(GATEWAY_PROCESSES);
  const isByCores = GATEWAY_PROCESSES === '' || GATEWAY_PROCESSES === '0';
  return isByCores ? Math.max(1, Math.floor(availableParallelism() / CORES_PER_PROCESS)) : 1;
}
