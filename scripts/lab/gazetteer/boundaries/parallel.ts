import type { Ring } from './rings.ts';

/** Rings with a point wherever they cross the parallel, the same for both that share an edge. */
export function withCrossings({ x, y }: Ring, parallel: number): Ring {
  const points: { x: number; y: number }[] = [];
  for (let at = 0; at < x.length; at++) {
    const next = (at + 1) % x.length;
    const a = { x: x[at] ?? 0, y: y[at] ?? 0 };
    const b = { x: x[next] ?? 0, y: y[next] ?? 0 };
    points.push(a);
    if ((a.y - parallel) * (b.y - parallel) >= 0) continue;
    const [low, high] = a.y < b.y ? [a, b] : [b, a];
    const along = (parallel - low.y) / (high.y - low.y);
    points.push({ x: Math.round(low.x + along * (high.x - low.x)), y: parallel });
  }
  return { x: Int32Array.from(points, (point) => point.x), y: Int32Array.from(points, (point) => point.y) };
}

/** The parts of a ring north and south of the parallel, which it crosses twice at most. */
export function cutAt(ring: Ring, parallel: number): { readonly north: Ring; readonly south: Ring } {
  const side = (keep: (y: number) => boolean): Ring => ({
    x: ring.x.filter((_, at) => keep(ring.y[at] ?? 0)),
    y: ring.y.filter(keep),
  });
  return { north: side((y) => y >= parallel), south: side((y) => y <= parallel) };
}
