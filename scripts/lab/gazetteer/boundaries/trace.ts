import { defined } from '../../../../workers/exact/defined.ts';
import type { Arcs } from '../../../../workers/geocoding/boundaries/arcs.ts';
import type { Edges } from './edges.ts';
import { simplify } from './simplify.ts';

const POINTS_AT_MOST = 65_000;

/**
 * Joins edges into arcs from one junction to the next. Edges inside one area are removed.
 * @param label gives the index, plus one, of the area that a polygon belongs to
 * @param tolerance units of the grid, as for `simplify`
 */
export function traceArcs(edges: Edges, label: (polygon: number) => number, tolerance: number): Arcs {
  const left = edges.left.map(label);
  const right = edges.right.map(label);
  const network = new Network(edges, left, right);
  const x: number[] = [];
  const y: number[] = [];
  const starts = [0];
  const sides: { left: number; right: number }[] = [];
  for (const arc of network.arcs()) {
    const kept = simplify(
      arc.vertices.map((vertex) => defined(edges.x[vertex])),
      arc.vertices.map((vertex) => defined(edges.y[vertex])),
      tolerance,
    );
    for (let first = 0; first < kept.x.length - 1; first += POINTS_AT_MOST - 1) {
      x.push(...kept.x.slice(first, first + POINTS_AT_MOST));
      y.push(...kept.y.slice(first, first + POINTS_AT_MOST));
      starts.push(x.length);
      sides.push(arc);
    }
  }
  return {
    x: Int32Array.from(x),
    y: Int32Array.from(y),
    starts: Uint32Array.from(starts),
    left: Uint16Array.from(sides, (side) => side.left),
    right: Uint16Array.from(sides, (side) => side.right),
  };
}

interface Arc {
  readonly vertices: readonly number[];
  readonly left: number;
  readonly right: number;
}

/** The edges between two different areas, by the vertices where they meet. */
class Network {
  readonly #edges: Edges;
  readonly #left: readonly number[];
  readonly #right: readonly number[];
  readonly #at = new Map<number, number[]>();
  readonly #used = new Set<number>();

  constructor(edges: Edges, left: readonly number[], right: readonly number[]) {
    this.#edges = edges;
    this.#left = left;
    this.#right = right;
    for (const [edge, from] of edges.from.entries()) {
      if (left[edge] === right[edge]) continue;
      for (const vertex of [from, defined(edges.to[edge])]) {
        const incident = this.#at.get(vertex);
        if (incident === undefined) this.#at.set(vertex, [edge]);
        else incident.push(edge);
      }
    }
  }

  *arcs(): Generator<Arc> {
    for (const [vertex, incident] of this.#at) {
      if (!this.#isJunction(incident)) continue;
      for (const edge of incident) if (!this.#used.has(edge)) yield this.#follow(vertex, edge);
    }
    // The remaining edges are closed rings without a junction: islands and enclaves.
    for (const [vertex, incident] of this.#at) {
      const [edge] = incident;
      if (edge !== undefined && !this.#used.has(edge)) yield this.#follow(vertex, edge);
    }
  }

  #isJunction(incident: readonly number[]): boolean {
    const [a, b] = incident;
    if (incident.length !== 2 || a === undefined || b === undefined) return true;
    const pair = (edge: number) => [this.#left[edge], this.#right[edge]].toSorted().join();
    return pair(a) !== pair(b);
  }

  #follow(start: number, first: number): Arc {
    const forward = this.#edges.from[first] === start;
    const vertices = [start];
    let edge: number | undefined = first;
    while (edge !== undefined && !this.#used.has(edge)) {
      this.#used.add(edge);
      const from = defined(this.#edges.from[edge]);
      const vertex: number = from === vertices.at(-1) ? defined(this.#edges.to[edge]) : from;
      vertices.push(vertex);
      const incident: readonly number[] = this.#at.get(vertex) ?? [];
      edge = this.#isJunction(incident) ? undefined : incident.find((next) => !this.#used.has(next));
    }
    const [left = 0, right = 0] = forward
      ? [this.#left[first], this.#right[first]]
      : [this.#right[first], this.#left[first]];
    return { vertices, left, right };
  }
}
