import { defined } from '../../exact/defined.ts';
import { areaOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { Hit } from './hits.ts';

/** Area → masks of the spans that name it. */
export type Contexts = ReadonlyMap<number, readonly number[]>;

export function contextsOf({ areas, names: { postings } }: Gazetteer, hits: readonly Hit[]): Contexts {
  const contexts = new Map<number, number[]>();
  for (const { start, end, mask } of hits) {
    for (let at = start; at < end; at++) {
      const entity = defined(postings[at]) >>> 1;
      // Postings of areas come first.
      if (entity >= areas.count) break;
      const masks = contexts.get(entity);
      if (masks === undefined) contexts.set(entity, [mask]);
      else masks.push(mask);
    }
  }
  return contexts;
}

/** The tokens outside its own name that name an area around the entity. */
export function contextMask(gazetteer: Gazetteer, contexts: Contexts, entity: number, ownMask: number): number {
  const { parent } = gazetteer.areas;
  let mask = 0;
  let area = areaOf(gazetteer, entity);
  for (;;) {
    const named = area === entity ? undefined : contexts.get(area);
    if (named !== undefined) for (const context of named) if ((context & ownMask) === 0) mask |= context;
    const holder = defined(parent[area]);
    if (holder === area) return mask;
    area = holder;
  }
}
