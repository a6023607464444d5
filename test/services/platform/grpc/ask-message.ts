import type { ClientDuplexStream, ServiceError as GrpcServiceError } from '@grpc/grpc-js';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';

/** Sends one message on a stream of its own. @returns the outcomes of its items. @throws {CallError} */
export function askMessage<Item, Outcome>(
  stream: ClientDuplexStream<{ id: bigint; items: Item[] }, { id: bigint; outcomes: Outcome[] }>,
  items: Item[],
): Promise<readonly Outcome[]> {
  return new Promise((resolve, reject) => {
    stream.on('data', ({ outcomes }: { readonly outcomes: readonly Outcome[] }) => resolve(outcomes));
    stream.on('error', (error: GrpcServiceError) => reject(new CallError(error)));
    stream.end({ id: 1n, items });
  });
}
