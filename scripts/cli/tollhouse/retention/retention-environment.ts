import {
  RetentionKeyConfig,
  readExistingRetentionKeys,
} from '../../../../services/backoffice/retention/retention-keys.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { readEnvironment } from '../../../../services/platform/process/environment.ts';
import type { NamedKeys } from '../../../../services/platform/process/named-keys.ts';
import { hasCode } from '../../../../services/platform/process/system-error.ts';
import { dataFolderOf } from '../../../launch/settings.ts';
import { type Command, CommandError, type Terminal } from '../../terminal/command.ts';

/** The command, which names the code of a refusal of the service. */
export const named =
  (command: Command): Command =>
  async (...given) => {
    await command(...given).catch((error: unknown) => {
      throw error instanceof ServiceError ? new CommandError(`${error.code}: ${error.message}`) : error;
    });
  };

/** The keys of RETENTION_KEYS, or the one of the data folder. @throws {CommandError} if there are none */
export function retentionKeysOf({ environment }: Pick<Terminal, 'environment'>): NamedKeys {
  const { RETENTION_KEYS } = readEnvironment(RetentionKeyConfig, environment);
  const folder = dataFolderOf(environment);
  try {
    return readExistingRetentionKeys({
      TOLLHOUSE_DATA: folder,
      ...(RETENTION_KEYS === undefined ? {} : { RETENTION_KEYS }),
    });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new CommandError(
      `RETENTION_KEY_MISSING: set RETENTION_KEYS as the back office has it; the data folder ${folder} has no key`,
    );
  }
}
