import { defined } from '../../../../../workers/exact/defined.ts';
import type { Point } from '../../../../../workers/geocoding/geometry/distance.ts';
import type { SourceRow } from '../sources/row-source.ts';
import type { PbfFile } from './pbf-file.ts';
import { type BlockVisitor, kindsOf, NODES, readBlock, WAYS } from './read-block.ts';
import { type DescribedRow, isStreet, rowsOf, type Tags, townOf } from './tags.ts';
import { Towns } from './towns.ts';
import { type Box, grown, middleOf, WantedNodes } from './wanted-nodes.ts';

/** Nodes whose points are kept at a time: 256 MB. The nodes are read again for further ways. */
const MAX_WANTED = 16_000_000;
/** Nodes of a building that are looked at for its middle. */
const MAX_CORNERS = 12;

/**
 * The rows of a file. @param maxWanted the nodes whose points are kept at a time
 * @throws {ImportError} if a block cannot be read
 */
export function* readOsm(pbf: PbfFile, maxWanted: number = MAX_WANTED): Generator<SourceRow> {
  const reader = new OsmReader(pbf, maxWanted);
  reader.readTownsAndRelations();
  let isFirst = true;
  for (let block = 0; block < reader.count || isFirst; isFirst = false) {
    const next = reader.wantNodes(block);
    yield* reader.readNodes(isFirst);
    yield* reader.readWays(block, next);
    block = next;
  }
  yield* reader.readRelations();
}

interface OsmRelation {
  readonly id: number;
  readonly ways: readonly number[];
  readonly tags: Tags;
}

class OsmReader {
  readonly #pbf: PbfFile;
  readonly #kinds: Uint8Array;
  readonly #towns = new Towns();
  readonly #relations: OsmRelation[] = [];
  /** The ways of the relations, with their boxes as soon as they are known. */
  readonly #borders = new Map<number, Box | undefined>();
  readonly #maxWanted: number;
  #wanted = new WantedNodes();

  constructor(pbf: PbfFile, maxWanted: number) {
    this.#pbf = pbf;
    this.#kinds = new Uint8Array(pbf.count);
    this.#maxWanted = maxWanted;
  }

  get count(): number {
    return this.#pbf.count;
  }

  readTownsAndRelations(): void {
    for (let block = 0; block < this.count; block++) {
      this.#read(block, (bytes) => {
        this.#kinds[block] = kindsOf(bytes);
        readBlock(bytes, {
          node: (_, latitudeE7, longitudeE7, tags) => {
            const town = tags && townOf(tags);
            if (town) this.#towns.add(town, { latitude: latitudeE7 / 1e7, longitude: longitudeE7 / 1e7 });
          },
          relation: (id, ways, tags) => {
            if (tags.get('type') !== 'multipolygon' || rowsOf(tags, 'relation').length === 0) return;
            this.#relations.push({ id, ways, tags });
            for (const way of ways) this.#borders.set(way, undefined);
          },
        });
      });
    }
  }

  /** Notes the nodes that the ways from a block on need. @returns the first block that must wait */
  wantNodes(from: number): number {
    this.#wanted = new WantedNodes();
    let block = from;
    for (; block < this.count && this.#wanted.count < this.#maxWanted; block++) {
      this.#visit(block, WAYS, {
        way: (id, refs, tags) => {
          if (!this.#borders.has(id) && (tags === undefined || rowsOf(tags, 'way').length === 0)) return;
          for (const node of this.#neededOf(id, refs, tags)) this.#wanted.want(node);
        },
      });
    }
    this.#wanted.sort();
    return block;
  }

  /** Finds the points of the wanted nodes. @param isTold whether the nodes themselves are rows */
  *readNodes(isTold: boolean): Generator<SourceRow> {
    for (let block = 0; block < this.count; block++) {
      const rows: SourceRow[] = [];
      this.#visit(block, NODES, {
        node: (id, latitudeE7, longitudeE7, tags) => {
          this.#wanted.place(id, latitudeE7, longitudeE7);
          if (!isTold || tags === undefined) return;
          const point = { latitude: latitudeE7 / 1e7, longitude: longitudeE7 / 1e7 };
          for (const row of rowsOf(tags, 'node')) rows.push(this.#place(`node/${id}`, row, point));
        },
      });
      yield* rows;
    }
  }

  *readWays(from: number, to: number): Generator<SourceRow> {
    for (let block = from; block < to; block++) {
      const rows: SourceRow[] = [];
      this.#visit(block, WAYS, {
        way: (id, refs, tags) => {
          const told = tags === undefined ? [] : rowsOf(tags, 'way');
          const isBorder = this.#borders.has(id);
          if (told.length === 0 && !isBorder) return;
          const box = this.#wanted.boxOf(this.#neededOf(id, refs, tags));
          if (isBorder) this.#borders.set(id, box);
          for (const row of told) rows.push(this.#placeIn(`way/${id}`, row, box));
        },
      });
      yield* rows;
    }
  }

  *readRelations(): Generator<SourceRow> {
    for (const { id, ways, tags } of this.#relations) {
      let box: Box | undefined;
      for (const way of ways) {
        const part = this.#borders.get(way);
        if (part !== undefined) box = grown(grown(box, part.south, part.west), part.north, part.east);
      }
      for (const row of rowsOf(tags, 'relation')) yield this.#placeIn(`relation/${id}`, row, box);
    }
  }

  /** The nodes of a way that say where it is: the middle one of a street, and corners of anything else. */
  #neededOf(id: number, refs: readonly number[], tags: Tags | undefined): readonly number[] {
    if (tags !== undefined && isStreet(tags, 'way') && !this.#borders.has(id)) {
      const middle = refs[refs.length >>> 1];
      return middle === undefined ? [] : [middle];
    }
    if (refs.length <= MAX_CORNERS) return refs;
    return refs.filter((_, index) => index % Math.ceil(refs.length / MAX_CORNERS) === 0);
  }

  #placeIn(at: string, row: DescribedRow, box: Box | undefined): SourceRow {
    if (box === undefined) return { at, fault: 'the file has none of its nodes' };
    return this.#place(at, row, middleOf(box));
  }

  #place(at: string, row: DescribedRow, point: Point): SourceRow {
    const placed = { ...row, ...point };
    return { at, row: row.town === '' ? { ...placed, town: this.#towns.at(point), isTownGuessed: true } : placed };
  }

  #visit(block: number, kind: number, visitor: BlockVisitor): void {
    if ((defined(this.#kinds[block]) & kind) !== 0) this.#read(block, (bytes) => readBlock(bytes, visitor));
  }

  #read(block: number, read: (bytes: Uint8Array) => void): void {
    const bytes = this.#pbf.read(block);
    try {
      read(bytes);
    } catch (error) {
      throw this.#pbf.errorAt(block, error instanceof Error ? error.message : String(error));
    }
  }
}
