import type { MethodDefinition, Server } from '@grpc/grpc-js';
import type { Handler, Method, Methods } from './reflection-methods.ts';
import { toGrpcError } from './service-error.ts';

/** Both versions of the protocol: https://github.com/grpc/grpc/blob/master/doc/server-reflection.md */
const PATHS = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
] as const;

/**
 * Serves reflection. The first call loads the proto files, because that takes a tenth of a second and most processes are
 * never asked.
 *
 * @param services the names of the services to describe; health is described too
 */
export function addReflection(server: Server, protoRoot: string, services: readonly string[]): void {
  let loading: Promise<Methods> | undefined;
  let loaded: Methods = new Map();

  async function load(): Promise<void> {
    loading ??= import('./reflection-methods.ts').then(({ loadMethods }) => loadMethods(protoRoot, services));
    try {
      loaded = await loading;
    } catch (error) {
      // The next call tries again.
      loading = undefined;
      throw error;
    }
  }

  for (const path of PATHS) {
    const method = (): Method => {
      const found = loaded.get(path);
      if (found === undefined) throw new Error(`the reflection package does not serve ${path}`);
      return found;
    };
    // No message is read, and so none is decoded, before the loaded handler listens to the stream.
    const definition: MethodDefinition<unknown, unknown> = {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: (value) => method().definition.requestSerialize(value),
      requestDeserialize: (bytes) => method().definition.requestDeserialize(bytes),
      responseSerialize: (value) => method().definition.responseSerialize(value),
      responseDeserialize: (bytes) => method().definition.responseDeserialize(bytes),
    };
    const handle: Handler = (call) => {
      load().then(
        () => method().handler(call),
        (error: unknown) => call.emit('error', toGrpcError(error)),
      );
    };
    server.addService({ ServerReflectionInfo: definition }, { ServerReflectionInfo: handle });
  }
}
