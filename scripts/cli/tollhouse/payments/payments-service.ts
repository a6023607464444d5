import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import {
  createPaymentsOperatorClient,
  type PaymentsOperatorClient,
} from '../../../../services/payments/contract/operator-client.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { type GrpcTarget, readIdentity, targetOf } from '../../../../services/platform/grpc/identity.ts';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { findRunFolder } from '../../../launch/processes/run-folder.ts';
import { dataFolderOf } from '../../../launch/settings.ts';
import { CommandError, type Terminal } from '../../terminal/command.ts';

/** A refund waits for its receipt, and a comparison reads half a day of blocks. */
export const CALL = { timeoutMs: 60_000 };

const AFTER_AN_ACT = `. Nothing is known of
what it did. Start it, or name it in PAYMENTS_URL, and run the command again: every act takes effect once`;

/** Runs `work` with the operator's client of the payments service. @throws {CommandError} with the message of the service */
export const withPayments = <Result>(
  terminal: Pick<Terminal, 'environment'>,
  work: (client: PaymentsOperatorClient) => Promise<Result>,
  advice?: string,
): Promise<Result> => withPaymentsService(terminal, createPaymentsOperatorClient, work, advice);

/**
 * Connects to the payments service, runs `work`, and disconnects. The service is that of PAYMENTS_URL, or the one that
 * `npm start` runs on the data folder. It has the keys, so that the command needs none.
 * @param advice what the operator is told if the service does not answer
 * @throws {CommandError} with the message of the service
 */
export async function withPaymentsService<Client extends { close(): void }, Result>(
  { environment }: Pick<Terminal, 'environment'>,
  connect: (target: GrpcTarget) => Client,
  work: (client: Client) => Promise<Result>,
  advice = AFTER_AN_ACT,
): Promise<Result> {
  const target =
    environment['PAYMENTS_URL'] || `unix:${join(findRunFolder(dataFolderOf(environment)), 'payments.sock')}`;
  const client = connect(targetOf(readOwnIdentity(environment, target), 'payments', target));
  try {
    return await work(client);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // Only a service that answered sends a code.
    if (error.code !== undefined || error.status === status.PERMISSION_DENIED) throw new CommandError(error.message);
    throw new CommandError(`the payments service at ${target} does not answer (${error.message})${advice}`);
  } finally {
    client.close();
  }
}

function readOwnIdentity({ TLS_FOLDER }: NodeJS.ProcessEnv, target: string) {
  try {
    return readIdentity('operator', { TLS_FOLDER: TLS_FOLDER || undefined }, { PAYMENTS_URL: target });
  } catch (error) {
    throw error instanceof ConfigurationError ? new CommandError(error.faults.join('\n')) : error;
  }
}
