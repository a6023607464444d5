import type { Faults } from '../engine/faults.ts';
import type { Host } from '../engine/host.ts';
import type { Network } from '../engine/network.ts';

/** Runs one transaction on the simulated database. @throws when the database does not answer; then it may be committed */
export type Statement = <Result>(name: string, run: () => Result) => Promise<Result>;

/** The statements of one simulated process. They may fail before or after their commit, and be late. */
export function createStatements(host: Host, network: Network, faults: Faults): Statement {
  const { world } = host;
  return (name, run) =>
    new Promise((resolve, reject) => {
      if (!host.isAlive()) return;
      const isRefused = faults.isOn && faults.refused > 0 && world.random.chance(faults.refused);
      const isCommitted = !isRefused || world.random.chance(0.5);
      if (isRefused) world.count('fault: failed statement');
      world.at(world.nowMs() + network.latencyMs(), () => {
        const done = isCommitted ? ([run()] as const) : undefined;
        world.note(
          () => `${host.name} sql ${name}${isRefused ? `: fails, ${isCommitted ? '' : 'not '}committed` : ''}`,
        );
        world.at(world.nowMs() + network.latencyMs(), () =>
          host.enter(() => {
            if (isRefused || done === undefined) reject(new Error('the connection to the database ended'));
            else resolve(done[0]);
          }),
        );
      });
    });
}
