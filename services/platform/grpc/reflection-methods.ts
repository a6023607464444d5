import { globSync } from 'node:fs';
import {
  type handleBidiStreamingCall,
  type MethodDefinition,
  Server,
  type ServiceDefinition,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { protoPath as healthProto } from 'grpc-health-check';

const HEALTH = 'grpc.health.v1.Health';

export type Handler = handleBidiStreamingCall<unknown, unknown>;

export interface Method {
  readonly definition: MethodDefinition<unknown, unknown>;
  readonly handler: Handler;
}

export type Methods = ReadonlyMap<string, Method>;

/** @returns the methods of both versions of the protocol, by path */
export function loadMethods(protoRoot: string, services: readonly string[]): Methods {
  const recorder = new MethodRecorder();
  const protoFiles = globSync('**/*.proto', { cwd: protoRoot });
  const definition = loadSync([...protoFiles, healthProto], { includeDirs: [protoRoot] });
  // The files describe the services of other processes too.
  new ReflectionService(definition, { services: [...services, HEALTH] }).addToServer(recorder);
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
