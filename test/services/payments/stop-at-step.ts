import { subscribe } from 'node:diagnostics_channel';

// Node.js loads this module before the service. It kills the process at the named step, as a power cut does.
// KILL_AT is the name of a step, and KILL_AT_TIME says which time it is passed.
let times = 0;
subscribe('tollhouse:step', (step) => {
  if (step !== process.env['KILL_AT']) return;
  times += 1;
  if (times === Number(process.env['KILL_AT_TIME'])) process.kill(process.pid, 'SIGKILL');
});
