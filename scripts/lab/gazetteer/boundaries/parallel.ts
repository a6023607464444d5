import { defined } from '../../../../workers/exact/defined.ts';
import type { Ring } from './rings.ts';

/** Adds a point wherever the ring crosses the parallel. Two rings that share an edge get the same point. */
export function withCrossings({ x, y }: Ring, parallel: number): Ring {
  const points: { x: number; y: number }[] = [];
  for (let at = 0; at < x.length; at++) {
    const next = (at + 1) % x.length;
    const a = { x: defined(x[at]), y: defined(y[at]) };
    const b = { x: defined(x[next]), y: defined(y[next]) };
    points.push(a);
    if ((a.y - parallel) * (b.y - parallel) >= 0) continue;
    const [low, high] = a.y < b.y ? [a, b] : [b, a];
    const along = (parallel - low.y) / (high.y - low.y);
    points.push({ x: Math.round(low.x + along * (high.x - low.x)), y: parallel });
  }
  return { x: Int32Array.from(points, (point) => point.x), y: Int32Array.from(points, (point) => point.y) };
}

/** Cuts a ring into the parts north and south of the parallel. The ring crosses the parallel at most twice. */
export function cutAt(ring: Ring, parallel: number): { readonly north: Ring; readonly south: Ring } {
  const side = (keep: (y: number) => boolean): Ring => ({
    x: ring.x.filter((_, at) => keep(defined(ring.y[at]))),
    y: ring.y.filter(keep),
  });
  return { north: side((y) => y >= parallel), south: side((y) => y <= parallel) };
}
