import { defined } from '../../exact/defined.ts';
import type { Domain } from './domain.ts';

export interface Blocks {
  /** Disjoint groups, the largest first, then each item in none of these as a block of its own. */
  readonly blocks: readonly (readonly number[])[];
  /** The other groups. */
  readonly across: readonly (readonly number[])[];
}

export function partition({ size, groups }: Domain): Blocks {
  const isTaken = new Array<boolean>(size).fill(false);
  const blocks: (readonly number[])[] = [];
  const across: (readonly number[])[] = [];
  for (const items of groups.toSorted((a, b) => b.length - a.length)) {
    if (items.some((item) => isTaken[item])) {
      across.push(items);
      continue;
    }
    for (const item of items) isTaken[item] = true;
    blocks.push(items);
  }
  for (let item = 0; item < size; item += 1) if (!isTaken[item]) blocks.push([item]);
  return { blocks, across };
}

/** For each item, the indices of its groups. */
export function membershipsOf(size: number, groups: Domain['groups']): readonly (readonly number[])[] {
  const memberships = Array.from({ length: size }, (): number[] => []);
  for (const [group, items] of groups.entries()) for (const item of items) defined(memberships[item]).push(group);
  return memberships;
}
