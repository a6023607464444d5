import { TEXT, type TreeNode } from '../parse/tree.ts';

const INLINE = new Set('ABBR B CODE EM I MARK SMALL SPAN STRONG SUP'.split(' '));
/** Classes of a mark beside a name: "new", "deprecated". */
const BADGE = /(?:^|[\s_-])(?:badge|tag|pill|chip|emblem|stab|label)(?:$|\s)/i;
/** The end of a name. After a bracket or a sign, a mark is part of what it begins. */
const NAME_END = /[\p{L}\p{N})\]]$/u;

/** Whether an element in a line is a mark beside a name. */
export function isBadge(node: TreeNode): boolean {
  return node.attributes.length > 0 && INLINE.has(node.nodeName) && BADGE.test(node.classes);
}

/** Whether a mark stands apart from the name before it by its style alone. */
export function isBadgeOfName(node: TreeNode): boolean {
  const { previousSibling } = node;
  if (previousSibling === null || !isBadge(node)) return false;
  return previousSibling.nodeType !== TEXT || NAME_END.test(previousSibling.data);
}
