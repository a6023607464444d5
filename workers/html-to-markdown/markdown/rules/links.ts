import { TEXT, type TreeNode } from '../../parse/tree.ts';
import { writeTitle } from '../text/escape.ts';
import { MARK, withoutMarks } from '../text/marks.ts';
import { readText } from '../text/read-text.ts';
import type { MarkdownRule, RuleOptions } from './rule.ts';

const HEADING = /^(?:H[1-6]|DT)$/;
/** Most levels between a heading and the link to itself. */
const MAX_WRAPPERS = 3;
/** Classes of permalinks. Outside headings, the sign alone does not tell a permalink. */
const SIGN_CLASS = /(?:^|\s)(?:headerlink|header-anchor|anchor|permalink|self-?link)(?:\s|$)/i;
/** Classes of links that fold what is under a heading. */
const SWITCH_CLASS = /toggle|collaps|expand/i;
const PERMALINK_SIGN = /^(?:[#¶§⚓🔗∞]\ufe0f?)?$/u;
const PERMALINK_WORDS =
  /^(?:link|anchor|permalink|permanent link|copy link|(?:permalink|(?:direct |copy )?link) to (?:this )?(?:heading|headline|section|definition))\.?$/i;
const MAX_PERMALINK_CHARACTERS = 40;

export const linkRules: Readonly<Record<string, MarkdownRule>> = {
  inlineLink: {
    filter: ['a'],
    kind: 'inline',
    kindOf: (node, { footnotes }) => {
      const role = footnotes.roleOf(node);
      if (role === 'call') return 'leaf';
      return role === 'back' || isPermalink(node) ? 'skip' : 'inline';
    },
    replacement: (content, node, options) => {
      if (content === '') return options.footnotes.writeCall(node);
      const address = readAddress(node, options);
      if (address === null) return content;
      const title = withoutMarks(writeTitle(node.getAttribute('title')));
      return `${MARK.linkOpen}${content}${MARK.linkClose}${address}${title}${MARK.end}`;
    },
  },
};

function readAddress(node: TreeNode, { resolve }: RuleOptions): string | null {
  const href = node.getAttribute('href');
  return href === null || isOwnHeading(node, href) ? null : resolve(href);
}

/** Whether a link is a heading's link to itself, or its switch: a sign or words beside the heading's text. */
function isPermalink(node: TreeNode): boolean {
  const href = node.getAttribute('href');
  if (href === null || !href.includes('#')) return false;
  const isHeadings = findHeading(node) !== null;
  if (isHeadings && href === '#' && SWITCH_CLASS.test(node.classes)) return hasTextBeside(node);
  if (!isHeadings && !SIGN_CLASS.test(node.classes)) return false;
  const text = readText(node).replaceAll('\u200b', '').trim();
  if (text.length > MAX_PERMALINK_CHARACTERS) return false;
  if (holdsImage(node)) return text === '' && isOwnHeading(node, href) && hasTextBeside(node);
  if (PERMALINK_SIGN.test(text)) return true;
  return (
    isHeadings && (PERMALINK_WORDS.test(text) || node.getAttribute('aria-hidden') === 'true') && hasTextBeside(node)
  );
}

/** Whether a link leads to the heading that it is in. */
function isOwnHeading(node: TreeNode, href: string): boolean {
  if (!href.startsWith('#') || href.length === 1) return false;
  return findHeading(node)?.getAttribute('id') === href.slice(1);
}

function findHeading(node: TreeNode): TreeNode | null {
  let at = node.parentNode;
  for (let level = 0; level < MAX_WRAPPERS && at !== null; level += 1, at = at.parentNode) {
    if (HEADING.test(at.nodeName)) return at;
  }
  return null;
}

function hasTextBeside(node: TreeNode): boolean {
  for (let at: TreeNode | null = node; at !== null && !HEADING.test(at.nodeName); at = at.parentNode) {
    if (isText(at.previousSibling) || isText(at.nextSibling)) return true;
  }
  return false;
}

function isText(node: TreeNode | null): boolean {
  if (node === null || node.nodeName === 'A') return false;
  return node.nodeType === TEXT ? node.data.trim() !== '' : node.firstChild !== null;
}

function holdsImage(node: TreeNode): boolean {
  for (const { nodeName } of node.descendants()) if (nodeName === 'IMG') return true;
  return false;
}
