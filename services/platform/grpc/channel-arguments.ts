import { type ChannelCredentials, type ClientOptions, credentials, experimental } from '@grpc/grpc-js';
import { type GrpcTarget, isSocket } from './identity.ts';
import { MAX_MESSAGE_BYTES } from './size-limits.ts';

const OPTIONS = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.use_local_subchannel_pool': 1,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1000,
} satisfies Partial<ClientOptions>;

/**
 * A host that is dead or cut off sends nothing. Its calls end within 15 s, and later ones go to other copies. Over a Unix socket,
 * the kernel tells when a process has ended, and one that is only slow goes on.
 */
const KEEPALIVE = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5000,
  'grpc.keepalive_permit_without_calls': 1,
} satisfies Partial<ClientOptions>;

/** The arguments of a client's constructor. */
export function channelArguments(target: GrpcTarget): [string, ChannelCredentials, Partial<ClientOptions>] {
  if (typeof target === 'string')
    return [target, credentials.createInsecure(), isSocket(target) ? OPTIONS : { ...OPTIONS, ...KEEPALIVE }];
  const { address, service, identity } = target;
  return [
    address,
    experimental.createCertificateProviderChannelCredentials(identity.provider, identity.provider),
    { ...OPTIONS, ...KEEPALIVE, 'grpc.ssl_target_name_override': service },
  ];
}
