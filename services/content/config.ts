import { Type } from 'typebox';
import { readIdentity, TlsConfig } from '../platform/grpc/identity.ts';
import { readConfiguration } from '../platform/process/environment.ts';
import { Listen, LogLevel } from '../platform/process/settings.ts';
import { findPlugins } from './plugins.ts';

/** Environment of the content service. */
export const ContentConfig = Type.Object({
  LISTEN: Listen('127.0.0.1:8411'),
  ...TlsConfig,
  LOG_LEVEL: LogLevel,
  CONTENT_THREADS: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 256, description: 'conversion threads; one for each core by default' }),
  ),
  CONTENT_TIME_LIMIT_MS: Type.Integer({
    default: 15_000,
    minimum: 100,
    maximum: 19_000,
    description: 'longest time for converting a document, in milliseconds, without its time in the queue',
  }),
  CONTENT_PLUGINS: Type.String({
    default: '',
    description:
      'Turndown plugins, separated by commas: packages or paths, seen from the working folder, with `#NAME` for an export that is not the default',
  }),
});

/** @throws {ConfigurationError} */
export const readConfig = (environment: NodeJS.ProcessEnv) =>
  readConfiguration(ContentConfig, environment, (values) => ({
    identity: () => readIdentity('content', values, { LISTEN: values.LISTEN }),
    plugins: () => findPlugins(values.CONTENT_PLUGINS),
  }));
