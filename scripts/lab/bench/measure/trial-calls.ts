import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Type } from 'typebox';
import { Pool } from 'undici';
import { createReader } from '../../../launch/parse/json-reader.ts';
import { defaultPage } from '../../load/options.ts';
import { exchange, outcomeOf } from '../../load/scenarios/exchange.ts';
import { NOTHING_TO_PREPARE, type Scenario } from '../../load/scenarios/scenario.ts';
import { createTrial } from '../../load/scenarios/trial.ts';
import type { Contender } from './compare.ts';
import { runnerOf } from './scenario-runner.ts';

const readPort = createReader(Type.Integer({ minimum: 1 }), 'the port of the bare route');

export interface CallsTarget {
  /** Where the gateway serves. */
  readonly origin: string;
  /** Address of the content service that the gateway uses. */
  readonly contentTarget: string;
  readonly inFlight: number;
}

export interface TrialCalls {
  /** Complete trial calls through the gateway. */
  readonly gateway: Contender;
  /** The same conversions through a route that only calls the content service. */
  readonly bareRoute: Contender;
  stop(): Promise<void>;
}

/** Connects to a running product, which is a descendant of this process, and starts the bare route beside it. */
export async function connectTrialCalls({ origin, contentTarget, inFlight }: CallsTarget): Promise<TrialCalls> {
  const bare = fork(new URL('bare-calls.ts', import.meta.url), { serialization: 'json' });
  bare.send(contentTarget);
  const [message]: unknown[] = await once(bare, 'message');
  const page = defaultPage();
  const pools = [origin, `http://127.0.0.1:${readPort(message)}`].map(
    (url) => new Pool(url, { connections: inFlight, pipelining: 1 }),
  );
  const [pool, barePool] = pools;
  if (pool === undefined || barePool === undefined) throw new Error('there are two pools');
  const trial = createTrial('html-to-markdown', { origin, pool, keys: undefined, page, seed: 1, channels: inFlight });
  const body = JSON.stringify({ html: page });
  const conversion: Scenario = {
    ...NOTHING_TO_PREPARE,
    send: async () => outcomeOf(await exchange(barePool, { path: '/', body }), 200),
  };
  return {
    gateway: { name: 'trial through the gateway', run: runnerOf(trial, { inFlight }) },
    bareRoute: { name: 'bare Fastify route and the same service', run: runnerOf(conversion, { inFlight }) },
    async stop() {
      await Promise.all(pools.map((each) => each.close()));
      bare.kill();
    },
  };
}
