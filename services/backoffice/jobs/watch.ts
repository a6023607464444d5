import { once } from 'node:events';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Job, WatchRequest, WatchResponse } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { openCall } from '../../platform/grpc/grpc-server.ts';
import { ServiceError, toGrpcError } from '../../platform/grpc/service-error.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { JobChanges } from './job-changes.ts';
import type { JobId, JobRecord } from './job-records.ts';

export interface WatchOptions {
  /** @throws {ServiceError} */
  readonly read: (id: JobId) => Promise<JobRecord>;
  readonly changes: JobChanges;
  readonly toMessage: (record: JobRecord) => Job;
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

type WatchCall = ServerWritableStream<WatchRequest, WatchResponse>;

/** Longest time between two reads of a job: the notification of a change may be lost. */
const READ_AGAIN_MS = 5000;

/** Sends a job now and after each change, until it has ended or the caller has gone. */
export function serveWatch({ read, changes, toMessage, stopping, logger }: WatchOptions): (call: WatchCall) => void {
  async function send(call: WatchCall, signal: AbortSignal): Promise<void> {
    const follower = changes.follow(call.request.jobId);
    try {
      let sent: JobRecord | undefined;
      while (!signal.aborted) {
        const record = await read(call.request);
        if (!isSame(record, sent) && !call.write({ job: toMessage(record) })) await once(call, 'drain', { signal });
        if (record.endedAt !== null) return;
        sent = record;
        await follower.changed(READ_AGAIN_MS, signal);
      }
    } finally {
      follower.close();
    }
    if (stopping.aborted) throw new ServiceError('JOBS_UNAVAILABLE', 'the service is stopping');
  }

  return (call) => {
    const { context, finish } = openCall(call);
    send(call, AbortSignal.any([context.signal, stopping])).then(
      () => {
        finish();
        call.end();
      },
      (error: unknown) => {
        finish();
        if (context.signal.aborted) return;
        if (!(error instanceof ServiceError)) logger.error({ err: error }, 'a job could not be watched');
        call.emit('error', toGrpcError(error));
      },
    );
  };
}

/** Every change of a job changes its state or its number of attempts. */
function isSame(record: JobRecord, sent: JobRecord | undefined): boolean {
  return record.state === sent?.state && record.attempts === sent.attempts;
}
