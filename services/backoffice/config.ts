import { type Static, Type } from 'typebox';
import { DAILY_BUDGET_MICRO_USD } from '../ledger/contract/trial-terms.ts';
import { LedgerUpkeepConfig } from '../ledger/store/upkeep.ts';
import { readIdentity, TlsConfig } from '../platform/grpc/identity.ts';
import { readConfiguration } from '../platform/process/environment.ts';
import { checkNamedKeys } from '../platform/process/named-keys.ts';
import { CreateKeys, databaseUrl, grpcTarget, Listen, LogLevel } from '../platform/process/settings.ts';
import { ChannelJobConfig } from './channels/settings.ts';
import { OperatorKeySetting, readOperatorKeys } from './contract/operator-keys.ts';
import { RetentionDays } from './contract/retention-setting.ts';
import { RetentionKeyConfig, retentionKeysOf } from './retention/retention-keys.ts';
import { readReceiver, WebhookConfig } from './webhook/settings.ts';

/** Environment of the back office. */
export const BackofficeConfig = Type.Object({
  LISTEN: Listen('127.0.0.1:8413'),
  ...TlsConfig,
  LOG_LEVEL: LogLevel,
  DATABASE_URL: databaseUrl(Type.String({ description: 'PostgreSQL 15 or later' })),
  DATABASE_CONNECTIONS: Type.Integer({
    default: 8,
    minimum: 2,
    maximum: 200,
    description: 'database connections of this process',
  }),
  LEDGER_CONNECTIONS: Type.Integer({
    default: 12,
    minimum: 8,
    maximum: 200,
    description: 'database connections of the credit ledger in this process, besides DATABASE_CONNECTIONS',
  }),
  PAYMENTS_URL: grpcTarget(Type.String({ default: '127.0.0.1:8412', description: 'gRPC target of services/payments' })),
  VERIFICATION_URL: grpcTarget(
    Type.String({ default: '127.0.0.1:8415', description: 'gRPC target of services/verification' }),
  ),
  TRIAL_DAILY_BUDGET_MICRO_USD: Type.Integer({
    default: Number(DAILY_BUDGET_MICRO_USD),
    minimum: 0,
    description: 'credit that all trials together may spend in a UTC day',
  }),
  TRIAL_GRANTS_PER_NETWORK: Type.Integer({
    default: 20,
    minimum: 0,
    description: 'new grants for each IPv4 /24 or IPv6 /48 in a day; 0: unlimited, as in the sandbox',
  }),
  ...LedgerUpkeepConfig,
  ...RetentionKeyConfig.properties,
  CREATE_KEYS: CreateKeys,
  RETENTION_DAYS: RetentionDays,
  ...OperatorKeySetting,
  ...ChannelJobConfig,
  ...WebhookConfig.properties,
});

export type BackofficeConfig = Static<typeof BackofficeConfig>;

/** @throws {ConfigurationError} */
export const readConfig = (environment: NodeJS.ProcessEnv) =>
  readConfiguration(BackofficeConfig, environment, (values) => ({
    identity: () => {
      const { LISTEN, PAYMENTS_URL, VERIFICATION_URL } = values;
      return readIdentity('backoffice', values, { LISTEN, PAYMENTS_URL, VERIFICATION_URL });
    },
    operatorKeys: () => readOperatorKeys(values.OPERATOR_KEY_HASHES),
    receiver: () => readReceiver(values),
    checkedKeys: () => checkNamedKeys(retentionKeysOf(values)),
  }));
