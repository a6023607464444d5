import TurndownService from 'turndown';
import type { TreeNode } from '../../parse/tree.ts';
import { blockRules } from './blocks.ts';
import { codeRules } from './code.ts';
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
  ...scriptRules,
  ...mathRules,
  ...codeRules,
  ...tableRules,
};
for (const [name, rule] of Object.entries(ALL_RULES)) {
  service.addRule(name, rule as unknown as TurndownService.Rule);
}

/** Every filter is a list of names, so the registry is asked once for each name. */
const known = new Map<string, MarkdownRule | null>();
const MAX_KNOWN = 500;

/** The rule for an element; null: its content is written as if it were not there. */
export function findRule(node: TreeNode): MarkdownRule | null {
  const found = known.get(node.nodeName);
  if (found !== undefined) return found;
  const rule = service.rules.forNode(node as unknown as TurndownService.Node) as unknown as Partial<MarkdownRule>;
  const own = rule.kind === undefined ? null : (rule as MarkdownRule);
  if (known.size < MAX_KNOWN) known.set(node.nodeName, own);
  return own;
}
