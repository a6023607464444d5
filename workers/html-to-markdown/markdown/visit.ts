import type { TreeNode } from '../parse/tree.ts';
import { takeWritten } from './take-written.ts';

interface Writer {
  /** @returns whether the node's children must be visited */
  enter(node: TreeNode): boolean;
  leave(node: TreeNode): void;
}

/** Visits the nodes below a root in document order. */
export function visit(root: TreeNode, writer: Writer): void {
  let node: TreeNode | null = root.firstChild;
  while (node !== null) {
    node = takeWritten(node);
    const isEntered = writer.enter(node) && node.firstChild !== null;
    node = isEntered ? node.firstChild : leaveAll(node, root, writer);
  }
}

/** Leaves a node and those around it that end with it. @returns the next node to enter */
function leaveAll(last: TreeNode, root: TreeNode, writer: Writer): TreeNode | null {
  let node: TreeNode | null = last;
  while (node !== null && node !== root) {
    writer.leave(node);
    if (node.nextSibling !== null) return node.nextSibling;
    node = node.parentNode;
  }
  return null;
}
