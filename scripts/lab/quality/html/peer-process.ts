import { type Static, Type } from 'typebox';
import { defined } from '../../../../workers/exact/defined.ts';
import { createReader } from '../../../launch/parse/json-reader.ts';
import { PEERS, type PeerResult } from '../../inputs/peers.ts';

const PeerRequest = Type.Object({ name: Type.String(), html: Type.String() });
export type PeerRequest = Static<typeof PeerRequest>;
const readRequest = createReader(PeerRequest, 'the request to the peer process');

/** The converted page, or null if the peer threw an error. */
export type PeerReply = PeerResult | null;

process.on('message', (message) => {
  const { name, html } = readRequest(message);
  process.send?.(convert(name, html));
});

function convert(name: string, html: string): PeerReply {
  const peer = defined(PEERS[name]);
  try {
    return peer(html);
  } catch {
    return null;
  }
}
