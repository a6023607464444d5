import type { ContentClient } from './content-client.ts';
import type { MapsClient } from './maps-client.ts';

/** What operations run on. */
export interface Clients {
  readonly content: ContentClient;
  readonly maps: MapsClient;
}
