import { credentials } from '@grpc/grpc-js';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { MapsServiceClient, MapsServiceService } from '../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { createMapsClient, type MapsClient } from '../../../services/maps/contract/client.ts';
import type { Geocoder } from '../../../services/maps/geocoder/geocoder.ts';
import { createMapsService } from '../../../services/maps/service.ts';
import { type Channels, openChannels } from '../../../services/platform/grpc/grpc-client.ts';
import { startGrpcServer } from '../../../services/platform/grpc/grpc-server.ts';

/** A Wednesday in summer, when half of the time zones have daylight saving time. */
export const AT_MS = Date.parse('2026-07-01T12:00:00.000Z');

export interface Served {
  readonly channels: Channels<MapsServiceClient>;
  /** The client for streams. */
  readonly client: MapsServiceClient;
  /** The client of the contract. */
  readonly maps: MapsClient;
  readonly stop: () => Promise<void>;
}

/** Starts `MapsService` on a free port, with the given geocoder and a stopped clock. */
export async function serve(geocoder: Geocoder, maxUnderWay = 4): Promise<Served> {
  const logger = pino({ level: 'silent' });
  const server = await startGrpcServer({
    listen: '127.0.0.1:0',
    service: MapsServiceService,
    implementation: createMapsService({ geocoder, maxUnderWay, now: () => AT_MS, logger }),
    logger,
  });
  const channels = openChannels(MapsServiceClient, server.address);
  const client = new MapsServiceClient(server.address, credentials.createInsecure());
  const maps = createMapsClient(server.address);
  return {
    channels,
    client,
    maps,
    async stop() {
      channels.close();
      client.close();
      maps.close();
      await server.close();
    },
  };
}

/** Calls `serve`, and stops the service when the test ends. */
export async function serveDuring(t: ExecutionContext, geocoder: Geocoder, maxUnderWay?: number): Promise<Served> {
  const served = await serve(geocoder, maxUnderWay);
  t.teardown(served.stop);
  return served;
}
