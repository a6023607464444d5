import { availableParallelism } from 'node:os';
import test from 'ava';
import { countProcesses } from '../../../gateway/processes/processes.ts';

test('a number of processes is taken as it is', (t) => {
  for (const count of [1, 2, 10, 99]) t.is(countProcesses({ GATEWAY_PROCESSES: String(count) }), count);
});

test('without a number, or with 0, there is a process for every two cores, and at least one', (t) => {
  const byCores = Math.max(1, Math.floor(availableParallelism() / 2));
  for (const environment of [{}, { GATEWAY_PROCESSES: '' }, { GATEWAY_PROCESSES: '0' }]) {
    t.is(countProcesses(environment), byCores);
  }
});

test('a wrong value starts one process, which reports it', (t) => {
  for (const wrong of ['-1', '1.5', '100', '02', 'two', ' 2'])
    t.is(countProcesses({ GATEWAY_PROCESSES: wrong }), 1, wrong);
});
