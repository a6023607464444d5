import type { TreeNode } from '../../parse/tree.ts';
import { withoutMarks } from '../marks.ts';
import { longestRun } from './inline.ts';
import { type MarkdownRule, readText } from './rule.ts';

const LANGUAGE = /(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-source-|highlight-text-)([^\s`]+)/i;
const GUTTER = /(?:^|\s)(?:gutter|line-?numbers?(?:-rows)?|linenos?|lineno|blob-num|hljs-ln-numbers)(?:\s|$)/i;

export const codeRules: Readonly<Record<string, MarkdownRule>> = {
  fencedCode: {
    filter: ['pre', 'listing', 'xmp', 'plaintext'],
    kind: 'leafBlock',
    replacement: (_, node) => {
      const code = withoutMarks(readText(node, isGutter)).replace(/\r\n?/g, '\n').replace(/\n$/, '');
      const fence = longestRun(code, '`', 3);
      return `${fence}${readLanguage(node)}\n${code}${code === '' ? '' : '\n'}${fence}`;
    },
  },
};

function isGutter(node: TreeNode): boolean {
  return GUTTER.test(node.getAttribute('class') ?? '');
}

/** The language that a highlighter's class names, on the block, the code in it, or the two wrappers around it. */
function readLanguage(node: TreeNode): string {
  const candidates = [node.firstChild?.nodeType === 1 ? node.firstChild : null, node, node.parentNode];
  candidates.push(node.parentNode?.parentNode ?? null);
  for (const candidate of candidates) {
    if (candidate === null || candidate.nodeType !== 1) continue;
    const found = LANGUAGE.exec(candidate.getAttribute('class') ?? '') ?? null;
    const language = found?.[1] ?? candidate.getAttribute('data-lang') ?? candidate.getAttribute('data-language');
    if (language && /^[^\s`]+$/.test(language)) return language;
  }
  return '';
}
