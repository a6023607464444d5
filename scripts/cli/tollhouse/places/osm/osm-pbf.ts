import type { RowSource } from '../sources/row-source.ts';
import { openPbf } from './pbf-file.ts';
import { readOsm } from './read-osm.ts';

/**
 * Reads addresses, named streets, places and points of interest of OpenStreetMap. The file is read several times, because
 * ways come after the nodes that they consist of, and memory does not suffice for all nodes:
 * first its towns and relations, then for some ways after the other the points of their nodes, and at last the relations.
 */
export const osmPbf: RowSource = {
  name: 'OpenStreetMap PBF',
  async *read(file) {
    const pbf = openPbf(file);
    try {
      yield* readOsm(pbf);
    } finally {
      pbf.close();
    }
  },
};
