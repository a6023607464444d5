import { areaOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { Hit } from './hits.ts';

/** The spans that name an area, by area. */
export type Contexts = ReadonlyMap<number, readonly number[]>;

export function contextsOf({ areas, names: { postings } }: Gazetteer, hits: readonly Hit[]): Contexts {
  const contexts = new Map<number, number[]>();
  for (const { start, end, mask } of hits) {
    for (let at = start; at < end; at++) {
      const entity = (postings[at] ?? 0) >>> 1;
      // Areas come first.
      if (entity >= areas.count) break;
      const masks = contexts.get(entity);
      if (masks === undefined) contexts.set(entity, [mask]);
      else masks.push(mask);
    }
  }
  return contexts;
}

/** Tokens besides those of its name that say what the entity lies in. */
export function contextMask(gazetteer: Gazetteer, contexts: Contexts, entity: number, ownMask: number): number {
  const { parent } = gazetteer.areas;
  let mask = 0;
  let area = areaOf(gazetteer, entity);
  for (;;) {
    if (area !== entity) {
      for (const context of contexts.get(area) ?? []) if ((context & ownMask) === 0) mask |= context;
    }
    const holder = parent[area] ?? area;
    if (holder === area) return mask;
    area = holder;
  }
}
