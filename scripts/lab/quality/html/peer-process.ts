import { PEERS, type PeerResult } from '../../inputs/peers.ts';

export interface PeerRequest {
  readonly name: string;
  readonly html: string;
}

/** What a page becomes; null when the peer threw. */
export type PeerReply = PeerResult | null;

process.on('message', ({ name, html }: PeerRequest) => {
  process.send?.(convert(name, html));
});

function convert(name: string, html: string): PeerReply {
  try {
    return PEERS[name]?.(html) ?? null;
  } catch {
    return null;
  }
}
