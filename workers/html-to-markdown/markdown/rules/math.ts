import { elementFrom, previousElement, type TreeNode } from '../../parse/tree.ts';
import { isMathml, writeMathml } from '../math/mathml.ts';
import { verbatim, withoutMarks } from '../text/marks.ts';
import { readText } from '../text/read-text.ts';
import type { MarkdownRule } from './rule.ts';

/** Copies that KaTeX and MathJax add to show a formula. The formula itself is written once. */
const SHOWN = /(?:^|\s)(?:katex-html|MathJax_Preview|MathJax(?:_SVG|_CHTML)?|MathJax_Display)(?:\s|$)/;
const SIDE_NOTE = /(?:^|\s)(?:side-?note|margin-?note)(?:[_-]+(?:content|text|body))?(?:\s|$)/i;
const TEX_SCRIPT = /^\s*math\/tex/i;
/** What tells LaTeX from a description in words. */
const TEX = /[\\^_{}]/;
const WORD = /\p{L}{2}/u;
const IMAGE_CLASS =
  /(?:^|\s)(?:mwe-math-fallback-\S*|tex|latex|wp-latex|math(?:-tex)?|formula(?:Inl|Dsp|inl|dsp)?|texrender|tex-?image|latex-?image|equation)(?:\s|$)/;
const BLOCK_CLASS = /image-display|(?:^|\s)formulaDsp(?:\s|$)/;
/** A formula with its delimiters. */
const DELIMITED = /^(\$\$?|\\[([])([^$]+)(?:\$\$?|\\[)\]])$/;
/** The style around Wikipedia's annotations. */
const STYLE = /^\{\\(?:displaystyle|textstyle|scriptstyle)\s/;

export const mathRules: Readonly<Record<string, MarkdownRule>> = {
  math: {
    filter: ['math', 'm:math', 'mml:math'],
    kind: 'leaf',
    replacement: (_, node) => {
      const annotation = findAnnotation(node);
      const isBlock = node.getAttribute('display') === 'block' || node.getAttribute('mode') === 'display';
      if (annotation !== null) return writeMath(readText(annotation), isBlock);
      const alternative = node.getAttribute('alttext') ?? '';
      if (TEX.test(alternative)) return writeMath(alternative, isBlock);
      if (!isMathml(node)) return withoutMarks(readText(node).trim() === '' ? alternative : readText(node));
      return writeMath(writeMathml(node), isBlock);
    },
  },
  mathScript: {
    filter: ['script'],
    kind: 'leaf',
    replacement: (_, node) => {
      const type = node.getAttribute('type');
      if (type === null || !TEX_SCRIPT.test(type)) return '';
      return writeMath(readText(node), /mode=display/i.test(type));
    },
  },
  // MathJax 4 tells the source of a formula in an attribute.
  container: {
    filter: ['mjx-container'],
    kind: 'leaf',
    kindOf: (node) => (readSource(node) === null ? null : 'leaf'),
    replacement: (_, node) => writeMath(readSource(node) ?? '', node.getAttribute('display') === 'true'),
  },
  shownMath: {
    filter: ['span', 'small', 'mjx-math'],
    kind: 'inline',
    kindOf: (node) =>
      node.attributes.length === 0 ? null : isShownCopy(node) ? 'skip' : isSideNote(node) ? 'inline' : null,
    // A note beside the text would be glued to the sentence that it is for.
    replacement: (content) => ` (${content})`,
  },
};

/** The formula that an image shows, by its class and its text. Null for other images. */
export function readMathImage(image: TreeNode): string | null {
  const formula = image.attributes.length === 0 ? '' : (image.getAttribute('alt') ?? '').trim();
  if (formula === '' || (!TEX.test(formula) && WORD.test(formula))) return null;
  const delimited = DELIMITED.exec(formula);
  // A text with delimiters and a command is a formula whatever the class.
  const isDelimited = delimited !== null && TEX.test(delimited[2] ?? '');
  const box = mathBoxOf(image);
  if (!isDelimited && box === null && !IMAGE_CLASS.test(image.classes)) return null;
  const [, open = '', source = formula] = delimited ?? [];
  const isBlock = BLOCK_CLASS.test(image.classes) || (open === '' && box === 'DIV');
  return writeMath(source, isBlock || open === '$$' || open === '\\[');
}

/** Name of the element for formulas that an image stands in, as Sphinx writes it. Null if it stands elsewhere. */
function mathBoxOf({ parentNode }: TreeNode): string | null {
  const box = parentNode?.nodeName === 'P' ? parentNode.parentNode : parentNode;
  return box !== null && /(?:^|\s)math(?:\s|$)/.test(box.classes) ? box.nodeName : null;
}

/** Whether an image shows the formula beside it, as on Wikipedia. */
export function isMathImage(image: TreeNode): boolean {
  if (!image.classes.includes('math-fallback-image')) return false;
  const beside = previousElement(image);
  return beside !== null && (beside.nodeName === 'MATH' || beside.firstChild?.nodeName === 'MATH');
}

/** The LaTeX source that a container or the formula in it tells. Null if the formula has a readable copy, or no source. */
function readSource(container: TreeNode): string | null {
  const shown = elementFrom(container.firstChild);
  const copy = shown?.nodeName === 'MJX-ASSISTIVE-MML' ? shown : elementFrom(shown?.nextSibling ?? null);
  if (copy?.nodeName === 'MJX-ASSISTIVE-MML') return null;
  return container.getAttribute('data-latex') ?? shown?.getAttribute('data-latex') ?? null;
}

/** Whether an element is shown in the margin, as in Tufte's style. It must be in a sentence. */
function isSideNote(node: TreeNode): boolean {
  return SIDE_NOTE.test(node.classes) && node.previousSibling !== null && node.firstChild !== null;
}

function isShownCopy(node: TreeNode): boolean {
  if (node.nodeName === 'MJX-MATH') return elementFrom(node.nextSibling)?.nodeName === 'MJX-ASSISTIVE-MML';
  const found = node.attributes.length === 0 ? null : SHOWN.exec(node.classes);
  if (found === null) return false;
  if (found[0].trim() === 'katex-html') return previousElement(node) !== null;
  if (isBesideFormula(node, found[0].includes('Preview'))) return true;
  const parent = node.parentNode;
  return parent !== null && SHOWN.test(parent.classes) && isBesideFormula(parent, false);
}

/** Whether the formula follows. MathJax 2 writes a preview, the shown formula, and the script with its source in this order. */
function isBesideFormula(node: TreeNode, isPreview: boolean): boolean {
  const next = elementFrom(node.nextSibling);
  if (next === null) return false;
  const type = next.getAttribute('type');
  return (type !== null && TEX_SCRIPT.test(type)) || (isPreview && SHOWN.test(next.classes));
}

function findAnnotation(math: TreeNode): TreeNode | null {
  for (const node of math.descendants()) {
    const encoding = node.nodeName === 'ANNOTATION' ? node.getAttribute('encoding') : null;
    if (encoding !== null && /tex/i.test(encoding)) return node;
  }
  return null;
}

function writeMath(source: string, isBlock: boolean): string {
  const spaced = withoutMarks(source).replace(/\s+/g, ' ').trim();
  const formula = withoutStyle(spaced).replace(/ ?< ?/g, ' \\lt ');
  if (formula === '') return '';
  return verbatim(isBlock ? `$$${formula}$$` : `$${formula}$`);
}

function withoutStyle(formula: string): string {
  const style = STYLE.exec(formula);
  if (style === null) return formula.replace(/^\\displaystyle /, '');
  let depth = 0;
  for (let at = 0; at < formula.length - 1; at += 1) {
    const character = formula.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth === 0) return formula;
  }
  return formula.endsWith('}') ? formula.slice(style[0].length, -1).trim() : formula;
}
