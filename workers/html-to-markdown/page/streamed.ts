import type { TreeNode } from '../parse/tree.ts';

/** Ids of the hidden parts that React streams after the page, and of the templates that mark their places. */
const PART = /^S:[0-9a-f]{1,8}$/;
const PLACE = /^[BP]:[0-9a-f]{1,8}$/;
/** Parts can be placed in each other. The sum of the depths of their places limits how deep the page can become. */
const MAX_DEPTHS = 1500;

/** The parts of a page that its server sends late. A script moves them to their places when they arrive. */
export class StreamedParts {
  private readonly places = new Map<string, TreeNode>();
  private readonly parts: (readonly [id: string, part: TreeNode])[] = [];

  /** @returns whether the element marks the place of a part */
  passPlace(node: TreeNode): boolean {
    const id = node.nodeName === 'TEMPLATE' ? node.getAttribute('id') : null;
    if (id === null || !PLACE.test(id)) return false;
    this.places.set(id.slice(2), node);
    return true;
  }

  /** @returns whether the hidden element is a part */
  passHidden(node: TreeNode): boolean {
    const id = node.getAttribute('id');
    if (id === null || !PART.test(id)) return false;
    this.parts.push([id.slice(2), node]);
    return true;
  }

  /** Moves the parts to their places, and removes the marks. A part without a place is never shown, and removed. */
  moveAll(): void {
    let depths = 0;
    for (const [id, part] of this.parts) {
      const place = this.places.get(id);
      const parent = place?.parentNode ?? null;
      if (place === undefined || parent === null || isInside(place, part)) {
        part.remove();
        continue;
      }
      depths += place.depth;
      // It is read where it is.
      if (depths > MAX_DEPTHS) break;
      part.remove();
      parent.insertBefore(part, place);
    }
    for (const place of this.places.values()) place.remove();
  }
}

function isInside(node: TreeNode, outer: TreeNode): boolean {
  let at: TreeNode | null = node;
  while (at !== null && at !== outer) at = at.parentNode;
  return at === outer;
}
