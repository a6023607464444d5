import { statfs } from 'node:fs/promises';
import type { ReadFiguresResponse } from '../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import type { ReadStandingResponse } from '../../proto/gen/tollhouse/payments/v1/operator.ts';
import type { OperatorClient } from '../../services/backoffice/contract/operator-client.ts';
import type { PaymentsOperatorClient } from '../../services/payments/contract/operator-client.ts';
import { atMostOnce } from '../../services/platform/at-most-once.ts';
import { CallError } from '../../services/platform/grpc/grpc-client.ts';
import type { RedisFigures } from '../../services/platform/redis/redis-figures.ts';
import type { Admission } from '../admission/admission.ts';
import type { ServiceHealth, ServiceReports } from '../clients/service-health.ts';
import type { CallFreeze, CallState } from '../freeze/call-freeze.ts';

/** What the gateway and its services say. What cannot be read is undefined, and `faults` says why. */
export interface Facts {
  readonly atMs: number;
  readonly calls: CallState;
  readonly services: ServiceReports;
  readonly admission: ReturnType<Admission['counts']>;
  readonly figures: ReadFiguresResponse | undefined;
  readonly standing: ReadStandingResponse | undefined;
  readonly redis: RedisFigures | undefined;
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | undefined;
  readonly faults: readonly { readonly part: string; readonly message: string }[];
}

export interface FactsOptions {
  readonly services: Pick<ServiceHealth, 'inspect'>;
  readonly backoffice: Pick<OperatorClient, 'readFigures'>;
  readonly payments: Pick<PaymentsOperatorClient, 'readStanding'>;
  readonly readRedis: () => Promise<RedisFigures>;
  readonly admission: Pick<Admission, 'counts'>;
  readonly freeze: CallFreeze;
  readonly dataFolder: string;
  /** Milliseconds, monotonic. */
  readonly monotonicMs: () => number;
  readonly now: () => number;
}

const FRESH_MS = 1000;
const TIMEOUT_MS = 4000;

/** Reads everything at most once a second, however many pages are open. */
export function createFactsReader(options: FactsOptions): (authorization: string) => Promise<Facts> {
  const { services, backoffice, payments, readRedis, admission, freeze, dataFolder, monotonicMs, now } = options;
  let authorization = '';

  async function read(): Promise<Facts> {
    const faults: { readonly part: string; readonly message: string }[] = [];
    const part = async <Result>(name: string, work: Promise<Result>): Promise<Result | undefined> => {
      try {
        return await work;
      } catch (error) {
        faults.push({ part: name, message: messageOf(error) });
        return undefined;
      }
    };
    const [reports, figures, standing, redis, disk] = await Promise.all([
      services.inspect(),
      part('backoffice', backoffice.readFigures({ timeoutMs: TIMEOUT_MS, authorization })),
      part('payments', payments.readStanding({ timeoutMs: TIMEOUT_MS })),
      part('redis', readRedis()),
      part('disk', readDisk(dataFolder)),
    ]);
    return {
      atMs: now(),
      calls: freeze.state(),
      services: reports,
      admission: admission.counts(),
      figures,
      standing,
      redis,
      disk,
      faults: [...faults, ...(figures?.faults ?? []), ...(standing?.faults ?? [])],
    };
  }

  const readOnce = atMostOnce({ freshMs: FRESH_MS, monotonicMs }, read);
  return (given) => {
    authorization = given;
    return readOnce();
  };
}

async function readDisk(folder: string): Promise<NonNullable<Facts['disk']>> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

function messageOf(error: unknown): string {
  if (error instanceof CallError) return error.code === undefined ? error.message : `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
