import { ELEMENT, TreeNode } from '../parse/tree.ts';

/** What places an item in a tree of lists. */
export interface ListItem {
  /** From 1. */
  readonly level: number;
  readonly isOrdered: boolean;
  /** The number that is shown. Null for bullets, letters, and numbers that are not known. */
  readonly number: string | null;
}

interface OpenList {
  readonly level: number;
  readonly list: TreeNode;
}

const made = new WeakSet<TreeNode>();

/** Lists in lists, made of items with levels. It stands before a node. */
export class ListTree {
  readonly place = new TreeNode(ELEMENT, 'span');
  private readonly open: OpenList[] = [];

  constructor(before: TreeNode) {
    before.parentNode?.insertBefore(this.place, before);
  }

  /** Whether a list is one of a tree. */
  static made(list: TreeNode): boolean {
    return made.has(list);
  }

  add(item: ListItem, node: TreeNode): void {
    this.listFor(item).appendChild(node);
  }

  /** The list that an item belongs to: an open one, or a new one in the last item around it. */
  private listFor({ level, isOrdered, number }: ListItem): TreeNode {
    const { open } = this;
    const name = isOrdered ? 'ol' : 'ul';
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    const last = open.at(-1);
    if (last?.level === level) {
      if (last.list.tagName === name && !(number === '1' && isOrdered)) return last.list;
      open.pop();
    }
    const list = new TreeNode(ELEMENT, name);
    made.add(list);
    const outer = open.at(-1)?.list.lastChild ?? this.place;
    outer.appendChild(list);
    open.push({ level, list });
    return list;
  }
}
