import { defined } from '../../../../../workers/exact/defined.ts';

const GROWTH = 1.5;
const UNKNOWN = -(2 ** 31);

/**
 * The nodes whose points are needed, as two sorted lists: 16 bytes for each. A file of a country has a hundred times as
 * many nodes, so their points are not kept.
 */
export class WantedNodes {
  #ids = new Float64Array(1024);
  #count = 0;
  #latitudesE7 = new Int32Array();
  #longitudesE7 = new Int32Array();
  /** Files are sorted by id, so the next node is mostly the next that is wanted. */
  #cursor = 0;

  /** How many were asked for, repeated ones among them until `sort`. */
  get count(): number {
    return this.#count;
  }

  want(id: number): void {
    if (this.#count === this.#ids.length) {
      const larger = new Float64Array(Math.ceil(this.#ids.length * GROWTH));
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#count++] = id;
  }

  /** Must be called once, after the last `want`. */
  sort(): void {
    const sorted = this.#ids.subarray(0, this.#count).sort();
    let unique = 0;
    for (const id of sorted) if (unique === 0 || id !== sorted[unique - 1]) sorted[unique++] = id;
    this.#count = unique;
    this.#latitudesE7 = new Int32Array(unique).fill(UNKNOWN);
    this.#longitudesE7 = new Int32Array(unique);
  }

  /** Keeps the point of a node if it is wanted. */
  place(id: number, latitudeE7: number, longitudeE7: number): void {
    const index = this.#indexOf(id);
    if (index === -1) return;
    this.#latitudesE7[index] = latitudeE7;
    this.#longitudesE7[index] = longitudeE7;
  }

  /** The box around those of the nodes whose points are known. Undefined if none is. */
  boxOf(ids: readonly number[]): Box | undefined {
    let box: Box | undefined;
    for (const id of ids) {
      const index = this.#indexOf(id);
      const latitudeE7 = this.#latitudesE7[index] ?? UNKNOWN;
      if (index === -1 || latitudeE7 === UNKNOWN) continue;
      box = grown(box, latitudeE7, defined(this.#longitudesE7[index]));
    }
    return box;
  }

  #indexOf(id: number): number {
    let at = this.#cursor;
    if (at < this.#count && defined(this.#ids[at]) < id) {
      while (at < this.#count && defined(this.#ids[at]) < id) at += 1;
    } else if (at === this.#count || (at > 0 && defined(this.#ids[at - 1]) >= id)) {
      at = this.#search(id);
    }
    this.#cursor = at;
    return this.#ids[at] === id && at < this.#count ? at : -1;
  }

  /** The first index whose id is not smaller. */
  #search(id: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (defined(this.#ids[middle]) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** South, west, north and east, in 1e-7 degrees. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

export function grown(box: Box | undefined, latitudeE7: number, longitudeE7: number): Box {
  if (box === undefined) return { south: latitudeE7, west: longitudeE7, north: latitudeE7, east: longitudeE7 };
  return {
    south: Math.min(box.south, latitudeE7),
    west: Math.min(box.west, longitudeE7),
    north: Math.max(box.north, latitudeE7),
    east: Math.max(box.east, longitudeE7),
  };
}

/** The middle of a box, in degrees. */
export function middleOf({ south, west, north, east }: Box): { readonly latitude: number; readonly longitude: number } {
  return { latitude: (south + north) / 2e7, longitude: (west + east) / 2e7 };
}
