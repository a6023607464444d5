import { subscribe } from 'node:diagnostics_channel';
import { currentHost, type Host } from './host.ts';
import type { World } from './world.ts';

type StepListener = (host: Host, step: string) => void;

const listeners = new WeakMap<World, StepListener>();
let isSubscribed = false;

/** Listens to the named steps (`tollhouse:step`) that the product's code passes in one world. */
export function listenToSteps(world: World, listener: StepListener): void {
  listeners.set(world, listener);
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe('tollhouse:step', (step) => {
    const host = currentHost();
    if (host?.isAlive()) listeners.get(host.world)?.(host, String(step));
  });
}
