import { Type } from 'typebox';
import { createJsonReader } from '../../scripts/launch/parse/json-reader.ts';

/** What a gateway must have at the end of its start. */
export interface GatewayState {
  readonly withoutTrials: boolean;
  /** Names of the services that must be reachable. */
  readonly services: readonly string[];
}

const parseHealth = createJsonReader(
  Type.Object({ status: Type.String(), trials: Type.String(), services: Type.Record(Type.String(), Type.String()) }),
  'the answer of /health/ready',
);

/**
 * Whether a gateway answers at `<origin>/health/ready` that it has what is wanted. A gateway of a stack without all services
 * waits for the others at first.
 */
export async function isGatewayReady(url: string, { withoutTrials, services }: GatewayState): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) });
    const found = parseHealth(await response.text());
    const isServed = services.every((name) => found.services[name] === 'ok');
    const isUp = response.ok || (found.status === 'starting' && found.services['payments'] === 'ok');
    return isUp && isServed && (withoutTrials || found.trials === 'available');
  } catch {
    return false;
  }
}
