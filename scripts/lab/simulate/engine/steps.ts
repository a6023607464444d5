import { subscribe } from 'node:diagnostics_channel';
import type { Faults } from './faults.ts';
import { currentHost, type Host } from './host.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

type StepListener = (host: Host, step: string) => void;

const listeners = new WeakMap<World, StepListener>();
let isSubscribed = false;

/** Longer than every lease and deadline. */
const LONGEST_STALL_MS = 60_000;

/** Ends or stops a process at the step that the faults of the world name. */
export function failAtStep(world: World, faults: Faults, machines: readonly Machine[]): void {
  let passes = 0;
  listenToSteps(world, (host, step) => {
    world.count(`step: ${step}`);
    world.note(() => `${host.name} at ${step}`);
    if (!faults.isOn || step !== faults.crashStep?.step) return;
    passes += 1;
    if (passes !== faults.crashStep.passes + 1) return;
    if (faults.crashStep.isStall) {
      world.count(`stall at: ${step}`);
      host.stall(world.random.between(1000, LONGEST_STALL_MS));
      return;
    }
    world.count(`crash at: ${step}`);
    machines.find((machine) => machine.host() === host)?.crash(`at ${step}`);
  });
}

/** Listens to the named steps (`tollhouse:step`) that the product's code passes in one world. */
function listenToSteps(world: World, listener: StepListener): void {
  listeners.set(world, listener);
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe('tollhouse:step', (step) => {
    const host = currentHost();
    if (host?.isAlive()) listeners.get(host.world)?.(host, String(step));
  });
}
