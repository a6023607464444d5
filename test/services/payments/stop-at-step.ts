import { subscribe } from 'node:diagnostics_channel';

// Node.js loads this module before the service. It kills the process at the named step, as a power cut does.
subscribe('tollhouse:step', (step) => {
  if (step === process.env['KILL_AT']) process.kill(process.pid, 'SIGKILL');
});
