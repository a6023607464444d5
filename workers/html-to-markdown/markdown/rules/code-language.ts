import { ELEMENT, elementFrom, type TreeNode } from '../../parse/tree.ts';

/** The language of code in a class, as highlighters write it. The most common forms come first. */
const LANGUAGE =
  /(?:^|\s)(?:(?:lang(?:uage)?-|highlight-(?:source|text)-|src-)(\S+)|brush:\s*([\w+#-]+)|highlight-(\S+)\s+notranslate)/i;
/** The parameters of SyntaxHighlighter in Confluence. */
const BRUSH = /\bbrush:\s*([\w+#-]+)/;
/** Highlighters that name the language in a separate word: `hljs ruby`, `sourceCode haskell`. */
const HIGHLIGHTER = /^(?:hljs|sourceCode|prettyprint|prettyprinted|highlight|syntaxhighlighter)$/;
const NO_LANGUAGE =
  /^(?:none|auto|default|undefined|plain|no-?highlight|linenums.*|with.*|wrap|copy|numberSource|block)$/i;
const NAME = /^[a-z][\w+#.-]*$/i;
/** Programming languages in a `lang` attribute. It may also name a natural language, mostly by two letters. */
const PROGRAMMING = /^(?:js|ts|py|rb|go|rs|c|sh|[a-z+#]{4,})$/i;

/** The language that a highlighter names, on the code in a block, the block, or the two elements around it. '' if none. */
export function readLanguage(node: TreeNode): string {
  const code = elementFrom(node.firstChild);
  const parent = node.parentNode;
  const grandparent = parent === null ? null : parent.parentNode;
  for (const candidate of [code?.nodeName === 'CODE' ? code : null, node, parent, grandparent]) {
    if (candidate === null || candidate.nodeType !== ELEMENT) continue;
    const language = readOwn(candidate);
    if (language !== '') return language;
  }
  return '';
}

function readOwn(node: TreeNode): string {
  const className = node.classes;
  const found = LANGUAGE.exec(className);
  const named =
    found?.[1] ??
    found?.[2] ??
    found?.[3] ??
    node.getAttribute('data-lang') ??
    node.getAttribute('data-language') ??
    node.getAttribute('data-enlighter-language') ??
    BRUSH.exec(node.getAttribute('data-syntaxhighlighter-params') ?? '')?.[1] ??
    readWord(className) ??
    readLang(node);
  const language = named.trim();
  return /^[^\s`]+$/.test(language) && !NO_LANGUAGE.test(language) ? language : '';
}

function readWord(className: string): string | null {
  const words = className.split(/\s+/);
  const at = words.findIndex((word) => HIGHLIGHTER.test(word));
  if (at < 0 || words[at] === 'highlight') return null;
  return words.find((word) => NAME.test(word) && !HIGHLIGHTER.test(word) && !NO_LANGUAGE.test(word)) ?? null;
}

function readLang(node: TreeNode): string {
  const lang = node.nodeName === 'PRE' || node.nodeName === 'CODE' ? node.getAttribute('lang') : null;
  return lang !== null && PROGRAMMING.test(lang) ? lang : '';
}
