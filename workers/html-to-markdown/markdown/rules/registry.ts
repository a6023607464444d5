import TurndownService from 'turndown';
import { ELEMENT, type TreeNode } from '../../parse/tree.ts';
import { blockRules } from './blocks.ts';
import { codeRules } from './code.ts';
import { embedRules } from './embeds.ts';
import { inlineRules } from './inline.ts';
import { linkRules } from './links.ts';
import { mathRules } from './math.ts';
import { mediaRules } from './media.ts';
import type { MarkdownRule } from './rule.ts';
import { scriptRules } from './scripts.ts';
import { tableRules } from './tables.ts';

const service = new TurndownService();
const ALL_RULES = {
  ...blockRules,
  ...inlineRules,
  ...linkRules,
  ...mediaRules,
  ...embedRules,
  ...scriptRules,
  ...mathRules,
  ...codeRules,
  ...tableRules,
};
/** Turndown's rules are registered as they are, so the one that it finds tells ours. */
const ownRules = new Map<object, MarkdownRule>();
for (const [name, rule] of Object.entries(ALL_RULES)) {
  // Turndown's types require a DOM. At run time it only reads the parts that a TreeNode has.
  service.addRule(name, rule as object as TurndownService.Rule);
  ownRules.set(rule, rule);
}

/** Every filter is a list of names, so Turndown is asked once for each name. */
const known = new Map<string, MarkdownRule | null>();
const MAX_KNOWN = 500;

/** The rule for an element. Null: only its content is written. */
export function findRule(node: TreeNode): MarkdownRule | null {
  const found = known.get(node.nodeName);
  if (found !== undefined) return found;
  const own =
    ownRules.get(service.rules.forNode(node as object as Parameters<TurndownService.Rules['forNode']>[0])) ?? null;
  if (known.size < MAX_KNOWN) known.set(node.nodeName, own);
  return own;
}

/** Whether an element has a child that is not inline, besides those that `isAllowed` accepts. */
export function holdsBlock({ firstChild }: TreeNode, isAllowed?: (child: TreeNode) => boolean): boolean {
  for (let child = firstChild; child !== null; child = child.nextSibling) {
    const kind = child.nodeType === ELEMENT ? findRule(child)?.kind : undefined;
    const isBlock = kind === 'block' || kind === 'frame' || kind === 'line' || kind === 'leafBlock';
    if (isBlock && isAllowed?.(child) !== true) return true;
  }
  return false;
}
