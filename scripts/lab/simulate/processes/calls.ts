import { EventEmitter } from 'node:events';
import { type handleUnaryCall, Metadata, type ServerUnaryCall, type ServiceError, status } from '@grpc/grpc-js';
import { CallError, type CallSettings } from '../../../../services/platform/grpc/grpc-client.ts';
import { toGrpcError } from '../../../../services/platform/grpc/service-error.ts';
import type { Host } from '../engine/host.ts';
import type { Handler, Machine } from '../engine/machine.ts';
import { type Network, NetworkError } from '../engine/network.ts';

/** An error as the gRPC client of a process gets it. */
function toGrpcFailure(error: unknown): ServiceError {
  if (error instanceof NetworkError) {
    const code = error.kind === 'late' ? status.DEADLINE_EXCEEDED : status.UNAVAILABLE;
    return Object.assign(new Error(error.kind), { code, details: error.kind, metadata: new Metadata() });
  }
  if (error instanceof Error && 'code' in error && 'details' in error) return error as ServiceError;
  throw error;
}

/** Calls a method of a service over the simulated network. @throws {CallError} */
export async function callService<Response>(
  network: Network,
  from: Host,
  call: { readonly to: Machine; readonly method: string; readonly request: unknown },
  { timeoutMs, requestId }: CallSettings,
): Promise<Response> {
  try {
    return (await network.call(from, {
      ...call,
      request: { message: call.request, requestId },
      timeoutMs,
    })) as Response;
  } catch (error) {
    throw new CallError(toGrpcFailure(error));
  }
}

/** Serves a method of a gRPC service on the simulated network. */
export function serve<Request, Response>(method: handleUnaryCall<Request, Response>): Handler {
  return (request, deadlineMs) => {
    const { message, requestId } = request as { readonly message: Request; readonly requestId: string | undefined };
    const metadata = new Metadata();
    if (requestId !== undefined) metadata.set('x-request-id', requestId);
    const call = Object.assign(new EventEmitter(), { request: message, metadata, getDeadline: () => deadlineMs });
    return new Promise((resolve, reject) => {
      method(call as unknown as ServerUnaryCall<Request, Response>, (error, response) => {
        if (error) reject(error);
        else resolve(response);
      });
    });
  };
}

/** Serves a method whose answer, or `ServiceError`, crosses as gRPC carries it. */
export function serveAnswer<Request, Response>(
  answer: (request: Request, deadlineMs: number) => Promise<Response>,
): Handler {
  return async (request, deadlineMs) => {
    const { message } = request as { readonly message: Request };
    try {
      return await answer(message, deadlineMs);
    } catch (error) {
      throw toGrpcError(error);
    }
  };
}
