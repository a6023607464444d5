import {
  BackofficeServiceClient,
  type GetRetainedResponse,
  type LedgerPosition,
  type RetainRequest,
  type RetainResponse,
} from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { createBatcher } from '../../platform/grpc/batcher.ts';
import { CallError, type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import { createMessageStreams } from '../../platform/grpc/message-streams.ts';
import { StoreClosedError } from '../../platform/redis/store-closed-error.ts';

/** One message is committed while the next one arrives. */
const MAX_IN_FLIGHT = 2;

/** Every method throws `CallError`. */
export interface BackofficeClient {
  retain(request: RetainRequest, settings: CallSettings): Promise<void>;
  getRetained(recordId: string, settings: CallSettings): Promise<GetRetainedResponse>;
  /**
   * The farthest known position of this ledger, and the time by the clock of the database.
   * @throws {StoreClosedError} until an operator has accepted a restored database
   */
  attestLedger(
    position: LedgerPosition,
    settings: CallSettings,
  ): Promise<{ readonly known: LedgerPosition; readonly databaseTimeMs: number }>;
  /** How far the copy of the ledger's journal is behind Redis. */
  readJournalLag(settings: CallSettings): Promise<{ readonly entries: number; readonly seconds: number }>;
  /** Whether an operator has stopped new paid and trial calls. */
  readCallFreeze(settings: CallSettings): Promise<boolean>;
  close(): void;
}

export function createBackofficeClient(target: string): BackofficeClient {
  const channels = openChannels(BackofficeServiceClient, target);
  const batches = createMessageStreams(() => channels.open((client) => client.retainBatches()));
  const retain = createBatcher<RetainRequest, RetainResponse>({
    sendOne: (call, settings) => channels.call((client) => client.retain, call, settings),
    sendBatch: async (calls, { timeoutMs }) => (await batches.ask({ calls: [...calls] }, timeoutMs)).outcomes,
    bytesOf: ({ requestBody, responseBody }) => requestBody.length + responseBody.length,
    maxInFlight: MAX_IN_FLIGHT,
  });
  return {
    async retain(request, settings) {
      await retain(request, settings);
    },
    getRetained: (recordId, settings) => channels.call((client) => client.getRetained, { recordId }, settings),
    async attestLedger(position, settings) {
      const { known, databaseTimeMs } = await channels
        .call((client) => client.attestLedger, { position }, settings)
        .catch((error: unknown) => {
          if (!(error instanceof CallError) || error.code !== 'DATABASE_RESTORED') throw error;
          throw new StoreClosedError(error.message, { cause: error });
        });
      if (known === undefined) throw new Error('the back office answered without a position');
      return { known, databaseTimeMs: Number(databaseTimeMs) };
    },
    async readJournalLag(settings) {
      const { entries, milliseconds } = await channels.call((client) => client.readJournalLag, {}, settings);
      return { entries: Number(entries), seconds: Number(milliseconds) / 1000 };
    },
    readCallFreeze: async (settings) => (await channels.call((client) => client.readCallFreeze, {}, settings)).frozen,
    close() {
      batches.close();
      channels.close();
    },
  };
}
