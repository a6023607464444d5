import { InsertionMode, html as names, type Parser, Token } from 'parse5';
import type { CountingTreeAdapter, TreeAdapterMap } from './tree-adapter.ts';

const { TAG_ID: ID, NS } = names;

/** Start tags that close a paragraph and then insert their element (WHATWG HTML 13.2.6.4.7). */
const BLOCK = 1;
/** Start tags that only insert their element. */
const PLAIN = 2;
/** End tags of these only close the current element if it has their name. */
const CLOSES = 4;

const KINDS = new Uint8Array(256);
for (const id of [
  ...[ID.P, ID.DL, ID.OL, ID.UL, ID.DIV, ID.NAV, ID.MAIN, ID.MENU, ID.ASIDE, ID.CENTER, ID.FIGURE, ID.FOOTER],
  ...[ID.HEADER, ID.DETAILS, ID.ADDRESS, ID.ARTICLE, ID.SECTION, ID.SUMMARY, ID.FIELDSET, ID.BLOCKQUOTE, ID.FIGCAPTION],
]) {
  KINDS[id] = BLOCK | CLOSES;
}
for (const id of [ID.SPAN, ID.LABEL]) KINDS[id] = PLAIN | CLOSES;
for (const id of [ID.LI, ID.DT, ID.DD, ID.H1, ID.H2, ID.H3, ID.H4, ID.H5, ID.H6]) KINDS[id] = CLOSES;

type PageParser = Parser<TreeAdapterMap>;

/**
 * The steps of tree construction that most tokens of a page need, without the questions that parse5 asks for each token. What
 * is not simple is left to parse5: each method returns false if it did nothing.
 */
export class DirectTree {
  private readonly parser: PageParser;
  private readonly adapter: CountingTreeAdapter;

  constructor(parser: PageParser, adapter: CountingTreeAdapter) {
    this.parser = parser;
    this.adapter = adapter;
  }

  startTag({ tagID, tagName, attrs, selfClosing }: Token.TagToken): boolean {
    const kind = KINDS[tagID] ?? 0;
    if ((kind & (BLOCK | PLAIN)) === 0 || selfClosing || !this.isInBody()) return false;
    const { parser, adapter } = this;
    if ((kind & BLOCK) !== 0) {
      if (adapter.openParagraphs > 0) return false;
    } else parser._reconstructActiveFormattingElements();
    parser.skipNextNewLine = false;
    const { openElements } = parser;
    const element = adapter.createElement(tagName, NS.HTML, attrs);
    adapter.appendChild(openElements.currentTmplContentOrNode, element);
    openElements.push(element, tagID);
    return true;
  }

  endTag(id: names.TAG_ID): boolean {
    const { openElements } = this.parser;
    if (((KINDS[id] ?? 0) & CLOSES) === 0 || openElements.currentTagId !== id || !this.isInBody()) return false;
    if (openElements.current?.namespace !== NS.HTML) return false;
    this.parser.skipNextNewLine = false;
    openElements.pop();
    return true;
  }

  text({ type, chars }: Token.CharacterToken): boolean {
    const { parser } = this;
    if (parser.skipNextNewLine || type === Token.TokenType.NULL_CHARACTER || !this.isInBody()) return false;
    parser._reconstructActiveFormattingElements();
    this.adapter.insertText(parser.openElements.currentTmplContentOrNode, chars);
    if (type === Token.TokenType.CHARACTER) parser.framesetOk = false;
    return true;
  }

  /** Whether the rules for the body apply, in HTML and without moving content out of tables. */
  private isInBody(): boolean {
    const { insertionMode: mode, fosterParentingEnabled, tokenizer } = this.parser;
    if (mode !== InsertionMode.IN_BODY && mode !== InsertionMode.IN_CELL) return false;
    return !fosterParentingEnabled && !tokenizer.inForeignNode;
  }
}
