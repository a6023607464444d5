import {
  type handleBidiStreamingCall,
  type MethodDefinition,
  Server,
  type ServiceDefinition,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { toGrpcError } from './service-error.ts';

/** Both versions of the protocol: https://github.com/grpc/grpc/blob/master/doc/server-reflection.md */
const PATHS = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
] as const;

const HEALTH = 'grpc.health.v1.Health';

interface Described {
  readonly serviceName: string;
  readonly protoFile: string;
}

type Handler = handleBidiStreamingCall<unknown, unknown>;

interface Method {
  readonly definition: MethodDefinition<unknown, unknown>;
  readonly handler: Handler;
}

type Methods = ReadonlyMap<string, Method>;

/**
 * Serves reflection. The first call loads the proto files, because that takes a tenth of a second and most processes are
 * never asked.
 *
 * @param served the services to describe, with their proto files under `protoRoot`; health is described too
 */
export function addReflection(server: Server, protoRoot: string, served: readonly Described[]): void {
  let loading: Promise<Methods> | undefined;
  let loaded: Methods = new Map();

  async function load(): Promise<void> {
    loading ??= loadMethods(protoRoot, served);
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

/** @returns the methods of both versions of the protocol, by path */
async function loadMethods(protoRoot: string, served: readonly Described[]): Promise<Methods> {
  const [{ loadSync }, { ReflectionService }, { protoPath: healthProto }] = await Promise.all([
    import('@grpc/proto-loader'),
    import('@grpc/reflection'),
    import('grpc-health-check'),
  ]);
  const recorder = new MethodRecorder();
  const protoFiles = served.map(({ protoFile }) => protoFile);
  const definition = loadSync([...protoFiles, healthProto], { includeDirs: [protoRoot] });
  // The files that these import describe services of other processes.
  const services = [...served.map(({ serviceName }) => serviceName), HEALTH];
  new ReflectionService(definition, { services }).addToServer(recorder);
  return recorder.methods;
}

/** The package only adds its services to a server. This one never listens: it records the services. */
class MethodRecorder extends Server {
  readonly methods = new Map<string, Method>();

  override addService(service: ServiceDefinition, implementation: UntypedServiceImplementation): void {
    for (const [name, definition] of Object.entries(service)) {
      const handler = implementation[name];
      if (isStreamHandler(handler)) this.methods.set(definition.path, { definition, handler });
    }
  }
}

/** Handlers of other kinds of methods also have a callback. */
const isStreamHandler = (handler: UntypedHandleCall | undefined): handler is Handler => handler?.length === 1;
