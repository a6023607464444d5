import { isIP } from 'node:net';
import { type TSchema, Type } from 'typebox';
import { ConfigurationError } from './environment.ts';
import { COMMAND_LINES, DATA_FOLDER } from './installation.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const DEFAULT_LOG_LEVEL = 'info';

/** Relative to the working folder of the process. */
export const DataFolder = Type.String({ default: DATA_FOLDER, description: 'data folder' });

/** Whether a process makes the keys that it lacks. */
export const CreateKeys = Type.Boolean({
  default: false,
  description: `whether keys that are not given are made in the data folder, as ${COMMAND_LINES.start} has it in the sandbox`,
});

export const LogLevel = Type.Enum([...LOG_LEVELS], { default: DEFAULT_LOG_LEVEL, description: LOG_LEVELS.join(', ') });

/** The log level before the configuration is read. A wrong LOG_LEVEL has the default. */
export function readLogLevel({ LOG_LEVEL }: NodeJS.ProcessEnv): string {
  return LOG_LEVELS.find((level) => level === LOG_LEVEL) ?? DEFAULT_LOG_LEVEL;
}

const HOST_AND_PORT = /^(?:\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i;
const MAX_PORT = 65_535;
/** Longest path of a Unix socket: the length of `sun_path` on Linux without the final NUL. */
const MAX_SOCKET_PATH_BYTES = 107;

function isHostAndPort(text: string): boolean {
  const [, port] = HOST_AND_PORT.exec(text) ?? [];
  return port !== undefined && Number(port) <= MAX_PORT;
}

function isUnixTarget(text: string): boolean {
  const [, path] = /^unix:(?:\/\/)?([^/].*|\/.+)$/.exec(text) ?? [];
  return path !== undefined && Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}

function isGrpcTarget(text: string): boolean {
  const [, addresses] = /^ipv[46]:(.+)$/.exec(text) ?? [];
  if (addresses !== undefined) return addresses.split(',').every(isHostAndPort);
  return isUnixTarget(text) || isHostAndPort(text.replace(/^dns:(?:\/\/[^/]*\/)?/, ''));
}

function isRedisUrl(text: string): boolean {
  if (/^unix:\/\/(?:[^/@]*@)?\/[^?#]+/.test(text)) return true;
  const url = URL.parse(text);
  return url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^\/?\d*$/.test(url.pathname);
}

/** The host may be missing, because a parameter may name the folder of a socket. `URL` refuses that after a user. */
function isDatabaseUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@localhost/'));
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol);
}

const createCheck =
  (isValid: (text: string) => boolean, hint: string) =>
  <Schema extends TSchema>(schema: Schema) =>
    Type.Refine(
      schema,
      (value) => typeof value === 'string' && isValid(value),
      () => `must be ${hint}`,
    );

/** Each adds a check to a schema of text, which may be optional. */
export const redisUrl = createCheck(isRedisUrl, 'a URL such as redis://127.0.0.1:6379 or unix:///run/redis.sock');
export const databaseUrl = createCheck(isDatabaseUrl, 'a URL such as postgresql://user@127.0.0.1:5432/tollhouse');
export const httpUrl = createCheck(isHttpUrl, 'a URL such as https://host.example/path');
export const httpUrls = createCheck(
  (text) => text.split(',').every((url) => isHttpUrl(url.trim())),
  'a URL such as https://host.example/path, or several, separated by commas',
);
export const grpcTarget = createCheck(
  isGrpcTarget,
  'host:port, dns:///name:port, ipv4:address:port,address:port or unix:path',
);

/** @param hostname as `URL` has it, with brackets around IPv6 */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));

/** Whether a secret may be sent to an HTTP URL: over TLS, or to this machine. */
export const maySendSecrets = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || isLoopback(hostname);

/** A URL to which secrets are sent: never unencrypted to another machine. @throws {ConfigurationError} with nothing of it */
export function readSecretUrl(name: string, text: string): URL {
  const url = URL.parse(text);
  const isPlain = url?.username === '' && url.password === '';
  if (url !== null && isPlain && /^https?:$/.test(url.protocol) && maySendSecrets(url)) return url;
  throw new ConfigurationError(`${name}: found a value that is not an https URL, without user and password`);
}

/** Whether a valid gRPC target or listening address is a Unix socket, or on the loopback of this machine. */
export const isLocalAddress = (address: string): boolean =>
  address.startsWith('unix:') ||
  address
    .replace(/^(?:ipv[46]:|dns:(?:\/\/[^/]*\/)?)/, '')
    .split(',')
    .every((hostAndPort) => isLoopback(hostAndPort.replace(/:\d+$/, '')));

export const listenAddress = createCheck(
  (text) => isUnixTarget(text) || isHostAndPort(text),
  `host:port, or unix:path with a path of at most ${MAX_SOCKET_PATH_BYTES} bytes`,
);

/** Where a service listens. */
export const Listen = (fallback: string) =>
  listenAddress(Type.String({ default: fallback, description: 'where the service listens' }));
