import type { ContentClient } from './content-client.ts';

/** What operations run on. */
export interface Clients {
  readonly content: ContentClient;
}
