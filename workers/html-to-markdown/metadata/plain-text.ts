import { TEXT, type TreeNode, walk } from '../parse/tree.ts';

/** Elements whose text does not belong to the page. */
export const UNREAD: ReadonlySet<string> = new Set(
  'SCRIPT STYLE TEMPLATE NOSCRIPT SVG BUTTON SELECT TEXTAREA IFRAME'.split(' '),
);
const INLINE: ReadonlySet<string> = new Set(
  'A ABBR B BDI CODE EM FONT I MARK Q S SMALL SPAN STRONG SUB SUP U WBR'.split(' '),
);
const MAX_CHARACTERS = 4000;
const MAX_NODES = 2000;

/** Classes of empty elements that a style sheet fills with a sign between the parts of a heading. */
const SEPARATOR = /(?:^|[\s_-])(?:sep|separator|divider|delimiter|arrow|chevron|slash)(?:$|[\s_-])/i;

/** Classes of a mark beside a name: "new", "deprecated". */
const BADGE = /(?:^|[\s_-])(?:badge|tag|pill|chip|emblem|stab|label)(?:$|\s)/i;

const LETTER = /\p{L}/u;
/** Text without letters and digits. */
const SIGN = /^[^\p{L}\p{N}]+$/u;

/** The beginning of the text below an element, with a space where a line may break. */
export function readText(root: TreeNode, maxCharacters = MAX_CHARACTERS, isUnread = isUnreadElement): string {
  let text = '';
  let nodes = 0;
  walk(root, {
    enter(node) {
      if (nodes === MAX_NODES || text.length >= maxCharacters) return 'stop';
      nodes += 1;
      if (node.nodeType === TEXT) text += node.data;
      else if (!INLINE.has(node.nodeName) || isSeparator(node)) text += ' ';
      return isUnread(node) ? 'past' : 'into';
    },
  });
  return text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
}

function isUnreadElement({ nodeName }: TreeNode): boolean {
  return UNREAD.has(nodeName);
}

/** Whether an element in a line is a mark beside a name. It stands apart by its style. */
export function isBadge(node: TreeNode): boolean {
  return node.attributes.length > 0 && INLINE.has(node.nodeName) && BADGE.test(node.classes);
}

function isSeparator(node: TreeNode): boolean {
  return node.firstChild === null && node.attributes.length > 0 && SEPARATOR.test(node.classes);
}

/** The text of a heading without its buttons and marks, if it has other text, and the sign of a link to the heading itself. */
export function readHeading(heading: TreeNode): string {
  const { lastChild } = heading;
  const text = readText(heading, MAX_CHARACTERS, (node) => isUnreadElement(node) || isBadge(node));
  // The whole heading may be a button that opens its section.
  if (!LETTER.test(text)) {
    return readText(heading, MAX_CHARACTERS, (node) => node.nodeName !== 'BUTTON' && isUnreadElement(node));
  }
  if (lastChild?.nodeName !== 'A') return text;
  const sign = readText(lastChild);
  return SIGN.test(sign) && sign.length < text.length ? text.slice(0, text.length - sign.length) : text;
}
