import { type Rpc, signalNow } from '../../../../services/payments/chain/nodes.ts';
import type { Faults } from '../engine/faults.ts';
import type { Host } from '../engine/host.ts';
import type { Network } from '../engine/network.ts';
import type { SimulatedNode } from './node.ts';

/** The node that one simulated process calls. Requests and answers may be lost or late. */
export function createSimulatedRpc(host: Host, node: SimulatedNode, network: Network, faults: Faults): Rpc {
  const { world } = host;
  const ask = (name: string, run: () => unknown) =>
    new Promise((resolve, reject) => {
      if (!host.isAlive()) return;
      const isLost = faults.isOn && faults.lost > 0 && world.random.chance(faults.lost);
      const isReceived = !isLost || world.random.chance(0.5);
      if (isLost) world.count('fault: lost call of the node');
      world.at(world.nowMs() + network.latencyMs(), () => {
        const answer = isReceived ? attempt(run) : undefined;
        world.note(() => `${host.name} node ${name}: ${describe(answer)}${isLost ? ', lost' : ''}`);
        world.at(world.nowMs() + network.latencyMs(), () =>
          host.enter(() => {
            if (isLost || answer === undefined) reject(new Error('the node did not answer'));
            else if (answer.isDone) resolve(answer.value);
            else reject(answer.error);
          }),
        );
      });
    });
  const calls = Object.keys(node) as readonly (keyof SimulatedNode)[];
  const methods = calls.map((name) => {
    const method = node[name] as (...given: readonly unknown[]) => unknown;
    return [
      name,
      (given: unknown) => {
        const node = signalNow();
        return ask(nameOf(name, given), () => method(given, node));
      },
    ] as const;
  });
  // The product calls these methods of viem's client and no others.
  return Object.fromEntries(methods) as unknown as Rpc;
}

type Answer = { readonly isDone: true; readonly value: unknown } | { readonly isDone: false; readonly error: unknown };

function attempt(run: () => unknown): Answer {
  try {
    return { isDone: true, value: run() };
  } catch (error) {
    return { isDone: false, error };
  }
}

function nameOf(name: string, given: unknown): string {
  const { method, functionName } = Object(given);
  return String(method ?? functionName ?? name);
}

const SHOWN_CHARACTERS = 120;

function describe(answer: Answer | undefined): string {
  if (answer === undefined) return 'not received';
  if (!answer.isDone) return String(answer.error).split('\n', 1)[0] ?? '';
  const text = JSON.stringify(answer.value, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
  return String(text).slice(0, SHOWN_CHARACTERS);
}
