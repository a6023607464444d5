import {
  type OperationRequest,
  type OperationResponse,
  type Refusal,
  VerificationServiceClient,
} from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import {
  CallError,
  type CallSettings,
  type Channels,
  openChannels,
  type UnaryMethod,
} from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

type OperationMethod = UnaryMethod<OperationRequest, OperationResponse>;

/** A method that is an operation, such as `getPlan`. */
export type Operation = {
  [Name in keyof VerificationServiceClient]: VerificationServiceClient[Name] extends OperationMethod ? Name : never;
}[keyof VerificationServiceClient];

/** A request. Protobuf writes what it leaves out as empty. */
export type Asked = Partial<OperationRequest>;
export type Answer = Omit<OperationResponse, 'refusal'>;

/** Every method throws `CallError`. */
export interface VerificationClient extends Channels<VerificationServiceClient> {
  ask(operation: Operation, request: Asked, settings: CallSettings): Promise<Answer>;
}

export function createVerificationClient(target: GrpcTarget): VerificationClient {
  return withOperations(openChannels(VerificationServiceClient, target));
}

export function withOperations(channels: Channels<VerificationServiceClient>): VerificationClient {
  return {
    ...channels,
    ask: async (operation, asked, settings) =>
      answerOf(await channels.call((client) => client[operation], requestOf(asked), settings)),
  };
}

export const requestOf = (asked: Asked): OperationRequest => ({
  caller: undefined,
  idempotencyKey: '',
  params: {},
  arguments: '',
  content: Buffer.alloc(0),
  ...asked,
});

/** @throws {CallError} the refusal, if there is one */
export function answerOf({ refusal, ...answer }: OperationResponse): Answer {
  if (refusal !== undefined) throw toError(refusal);
  return answer;
}

function toError({ code, message, details }: Refusal): CallError {
  const faults: unknown = JSON.parse(details);
  if (!Array.isArray(faults)) throw new TypeError('the faults of a refusal are not a list');
  return CallError.ofCode({ code, message, details: faults });
}
