import type { Endpoint } from '../../verified/endpoint.ts';

/** @throws {Error} where there is none: at start, for the names are written here */
export function endpointNamed(endpoints: readonly Endpoint[], operationId: string): Endpoint {
  const endpoint = endpoints.find((one) => one.operationId === operationId);
  if (endpoint === undefined) throw new Error(`no endpoint is ${operationId}`);
  return endpoint;
}
