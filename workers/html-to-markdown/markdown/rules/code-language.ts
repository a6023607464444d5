import type { TreeNode } from '../../parse/tree.ts';

/** How highlighters write the language of code in a class, most of them first. */
const LANGUAGE =
  /(?:^|\s)(?:(?:lang(?:uage)?-|highlight-(?:source|text)-|src-)(\S+)|brush:\s*([\w+#-]+)|highlight-(\S+)\s+notranslate)/i;
/** Highlighters that name the language in a word of its own: `hljs ruby`, `sourceCode haskell`. */
const HIGHLIGHTER = /^(?:hljs|sourceCode|prettyprint|prettyprinted|highlight)$/;
const NO_LANGUAGE =
  /^(?:none|auto|default|undefined|plain|no-?highlight|linenums.*|with.*|wrap|copy|numberSource|block)$/i;
const NAME = /^[a-z][\w+#.-]*$/i;
/** A `lang` attribute names a language of people as well, and most of those by two letters. */
const PROGRAMMING = /^(?:js|ts|py|rb|go|rs|c|sh|[a-z+#]{4,})$/i;

/** The language that a highlighter names, on the block, the code in it, or the two wrappers around it; '' for none. */
export function readLanguage(node: TreeNode): string {
  let code = node.firstChild;
  while (code !== null && code.nodeType !== 1) code = code.nextSibling;
  const parent = node.parentNode;
  for (const candidate of [code?.nodeName === 'CODE' ? code : null, node, parent, parent?.parentNode ?? null]) {
    if (candidate === null || candidate.nodeType !== 1) continue;
    const language = readOwn(candidate);
    if (language !== '') return language;
  }
  return '';
}

function readOwn(node: TreeNode): string {
  const className = node.getAttribute('class') ?? '';
  const found = LANGUAGE.exec(className);
  const named =
    found?.[1] ??
    found?.[2] ??
    found?.[3] ??
    node.getAttribute('data-lang') ??
    node.getAttribute('data-language') ??
    node.getAttribute('data-enlighter-language') ??
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
