import { InsertionMode, html as names, type Parser, Token, Tokenizer, TokenizerMode } from 'parse5';
import { readReference } from './character-reference.ts';
import { DirectTree } from './direct-tree.ts';
import type { Source } from './source.ts';
import { isSpace, TagReader } from './tag-reader.ts';
import { type CountingTreeAdapter, checkAttributes, type TreeAdapterMap } from './tree-adapter.ts';

const EXCLAMATION = 0x21;
const QUOTATION_MARK = 0x22;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const SOLIDUS = 0x2f;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;
const SMALL_A = 0x61;
const GRAVE_ACCENT = 0x60;
const SMALL_Z = 0x7a;
const LAST_BASIC = 0xffff;

type CharacterType = Token.TokenType.CHARACTER | Token.TokenType.WHITESPACE_CHARACTER;

/**
 * parse5's tokenizer, which reads whole tags, comments and runs of text at once. Stock parse5 makes a step of its state
 * machine for every character. What needs a decision (NUL, unusual references, broken tags …) is still left to parse5. The
 * input must come whole and have line feeds as line ends, and locations are not recorded. The trees are those of stock parse5.
 *
 * Text is emitted in longer pieces. A piece that does not begin with white space includes white space after its start. The
 * tree construction of WHATWG HTML (13.2.6) treats both alike, except in frames and columns.
 */
export class FastTokenizer extends Tokenizer {
  /** Whether the source itself has an html, head or body tag. */
  hasPageTags = false;
  private readonly source: Source;
  /** Whether a script has a NUL. Then parse5 reads the rest of the scripts. */
  private hasNul = false;
  private readonly tag: TagReader;
  private readonly parser: Parser<TreeAdapterMap>;
  private readonly tree: DirectTree;

  constructor(parser: Parser<TreeAdapterMap>, adapter: CountingTreeAdapter, source: Source) {
    super({ sourceCodeLocationInfo: false }, parser);
    this.parser = parser;
    this.tree = new DirectTree(parser, adapter);
    this.source = source;
    this.tag = new TagReader(source);
  }

  /** Reads the whole source. */
  run(): void {
    // The source is in memory as a whole, so dropping the part that was read gains nothing.
    this.preprocessor.bufferWaterline = Number.POSITIVE_INFINITY;
    this.write(this.source.html, true);
  }

  /** Like parse5's method, but the text may share the memory of the source. Both are freed after the conversion. */
  protected override _flushRun(text: string): void {
    if (this.runEnd === this.runStart && text === '') return;
    const run = this.preprocessor.html.slice(this.runStart, this.runEnd) + text;
    const token = this.currentToken;
    this.runStart = this.runEnd;
    if (token === null) {
      if (this.currentCharacterToken !== null) this.currentCharacterToken.chars += run;
    } else if (token.type === Token.TokenType.COMMENT) token.data += run;
    else this.currentAttr.value += run;
  }

  protected override _emitCurrentCharacterToken(location: Token.Location | null): void {
    this._flushRun('');
    const token = this.currentCharacterToken;
    if (token !== null && this.tree.text(token)) this.currentCharacterToken = null;
    else super._emitCurrentCharacterToken(location);
  }

  protected override emitCurrentTagToken(): void {
    this.notePageTag(names.getTagID(this.currentTag().tagName));
    super.emitCurrentTagToken();
  }

  protected override _stateData(cp: number): void {
    if (cp <= 0 || !this.takeData(this.startOf(cp))) super._stateData(cp);
  }

  protected override _stateRcdata(cp: number): void {
    if (cp <= 0 || !this.takeRcdata(this.startOf(cp))) super._stateRcdata(cp);
  }

  protected override _stateRawtext(cp: number): void {
    if (cp <= 0 || !this.takeRaw(this.startOf(cp))) super._stateRawtext(cp);
  }

  protected override _stateScriptData(cp: number): void {
    if (cp <= 0 || !this.takeRaw(this.startOf(cp))) super._stateScriptData(cp);
  }

  protected override _stateTagName(cp: number): void {
    if (cp < SMALL_A || cp > SMALL_Z) super._stateTagName(cp);
    else this.currentTag().tagName += this.takeName();
  }

  protected override _stateAttributeName(cp: number): void {
    // Not only at the end of the tag: parse5 compares each name with all earlier ones.
    checkAttributes(this.currentTag().attrs.length);
    if (cp < SMALL_A || cp > SMALL_Z) super._stateAttributeName(cp);
    else this.currentAttr.name += this.takeName();
  }

  protected override _stateAttributeValueDoubleQuoted(cp: number): void {
    if (cp === QUOTATION_MARK || cp === AMPERSAND || cp <= 0) super._stateAttributeValueDoubleQuoted(cp);
    else this.takeUntil(cp, QUOTATION_MARK, AMPERSAND);
  }

  protected override _stateAttributeValueSingleQuoted(cp: number): void {
    if (cp === APOSTROPHE || cp === AMPERSAND || cp <= 0) super._stateAttributeValueSingleQuoted(cp);
    else this.takeUntil(cp, APOSTROPHE, AMPERSAND);
  }

  protected override _stateAttributeValueUnquoted(cp: number): void {
    if (isPlainUnquoted(cp)) this.takeWhile(cp, isPlainUnquoted);
    else super._stateAttributeValueUnquoted(cp);
  }

  protected override _stateComment(cp: number): void {
    if (cp === HYPHEN || cp === LESS_THAN || cp <= 0) super._stateComment(cp);
    else this.takeUntil(cp, HYPHEN, LESS_THAN);
  }

  private currentTag(): Token.TagToken {
    const token = this.currentToken;
    if (token !== null && (token.type === Token.TokenType.START_TAG || token.type === Token.TokenType.END_TAG)) {
      return token;
    }
    throw new TypeError('the current token is not a tag');
  }

  /** The index at which the character that parse5 has just read begins. */
  private startOf(cp: number): number {
    return cp > LAST_BASIC ? this.preprocessor.pos - 1 : this.preprocessor.pos;
  }

  /** Reads tags, comments and text as far as they are simple. @returns false if nothing could be read */
  private takeData(start: number): boolean {
    const { units } = this.source;
    const { length } = this.source.html;
    let at = start;
    while (at < length && this.state === TokenizerMode.DATA) {
      const next = units[at] === LESS_THAN ? this.takeMarkup(at) : this.takeText(at);
      if (next < 0) break;
      at = next;
    }
    return this.continueAt(start, at);
  }

  /** Reads text with references, and the end tag that ends it. */
  private takeRcdata(start: number): boolean {
    const { units } = this.source;
    const { length } = this.source.html;
    let at = start;
    while (at < length && this.state === TokenizerMode.RCDATA) {
      const next = units[at] === LESS_THAN ? this.takeEndTag(at) : this.takeText(at);
      if (next < 0) break;
      at = next;
    }
    return this.continueAt(start, at);
  }

  /** Reads text of a script or the like, which may be long, and the end tag that ends it. */
  private takeRaw(start: number): boolean {
    const { html, units } = this.source;
    if (this.hasNul) return false;
    let at = html.indexOf('<', start);
    // Inside a script, `<!` may begin text that contains end tags.
    while (at >= 0 && units[at + 1] !== SOLIDUS && units[at + 1] !== EXCLAMATION) at = html.indexOf('<', at + 1);
    if (at < 0) at = html.length;
    if (at > start) {
      const text = html.slice(start, at);
      this.hasNul = text.includes('\0');
      if (this.hasNul) return false;
      this.addText(Token.TokenType.CHARACTER, text);
    }
    const after = at < html.length ? this.takeEndTag(at) : -1;
    return this.continueAt(start, after < 0 ? at : after);
  }

  /** Lets parse5 continue at an index. @returns whether it is beyond the start */
  private continueAt(start: number, at: number): boolean {
    if (at === start) return false;
    this.preprocessor.pos = at - 1;
    return true;
  }

  /** Reads the tag or comment at a `<`, and emits it. @returns the index after it, or -1 if it must be read step by step */
  private takeMarkup(at: number): number {
    if (this.source.units[at + 1] === EXCLAMATION) return this.takeComment(at);
    const end = this.tag.read(at + 1);
    if (end < 0) return -1;
    this.preprocessor.pos = end;
    this.emitTag();
    return end + 1;
  }

  /** Reads the end tag of the element with the text before it. @returns the index after it, or -1 if it is something else */
  private takeEndTag(at: number): number {
    const { tag } = this;
    if (this.source.units[at + 1] !== SOLIDUS) return -1;
    const end = tag.read(at + 1);
    if (end < 0 || tag.name.text !== this.lastStartTagName) return -1;
    this.preprocessor.pos = end;
    this.state = TokenizerMode.DATA;
    this.emitTag();
    return end + 1;
  }

  private emitTag(): void {
    const { tag, parser } = this;
    const { text: tagName, tagId } = tag.name;
    this._emitCurrentCharacterToken(null);
    this.currentToken = null;
    this.notePageTag(tagId);
    if (tag.isEndTag && this.tree.endTag(tagId)) return;
    const token: Token.TagToken = {
      type: tag.isEndTag ? Token.TokenType.END_TAG : Token.TokenType.START_TAG,
      tagName,
      tagID: tagId,
      selfClosing: tag.isSelfClosing,
      ackSelfClosing: false,
      attrs: tag.attributes,
      location: null,
    };
    if (tag.isEndTag) parser.onEndTag(token);
    else {
      this.lastStartTagName = tagName;
      if (!this.tree.startTag(token)) parser.onStartTag(token);
    }
  }

  /** Reads a comment without `--` inside. Comments are not kept, but they end runs of text. */
  private takeComment(at: number): number {
    const { html, units } = this.source;
    const start = at + 4;
    if (units[at + 2] !== HYPHEN || units[at + 3] !== HYPHEN) return -1;
    if (units[start] === GREATER_THAN || units[start] === HYPHEN) return -1;
    const end = html.indexOf('--', start);
    if (end < 0 || units[end + 2] !== GREATER_THAN) return -1;
    this._emitCurrentCharacterToken(null);
    this.currentToken = null;
    this.parser.onComment({ type: Token.TokenType.COMMENT, data: '', location: null });
    return end + 3;
  }

  /** Reads text up to the next `<`, `&` or NUL, or one reference. @returns the index after it, or -1 */
  private takeText(start: number): number {
    const { units, html } = this.source;
    if (isSplitting(this.parser.insertionMode)) return -1;
    let at = start;
    while (isSpace(units[at] ?? 0)) at += 1;
    if (at > start && (units[at] === LESS_THAN || !this.joinsWhiteSpace())) {
      const isJoined = this.currentCharacterToken?.type === Token.TokenType.CHARACTER;
      this.addText(isJoined ? Token.TokenType.CHARACTER : Token.TokenType.WHITESPACE_CHARACTER, html.slice(start, at));
      return at;
    }
    let unit = units[at];
    while (unit !== LESS_THAN && unit !== AMPERSAND && unit !== 0) {
      at += 1;
      unit = units[at];
    }
    if (at > start) {
      this.addText(Token.TokenType.CHARACTER, html.slice(start, at));
      return at;
    }
    const reference = unit === AMPERSAND ? readReference(this.source, at) : null;
    if (reference === null) return -1;
    this.addText(Token.TokenType.CHARACTER, reference.text);
    return reference.end;
  }

  /** Whether white space and the text after it are treated alike here. */
  private joinsWhiteSpace(): boolean {
    const { insertionMode: mode, skipNextNewLine } = this.parser;
    if (skipNextNewLine) return false;
    return mode === InsertionMode.IN_BODY || mode === InsertionMode.IN_CELL || mode === InsertionMode.TEXT;
  }

  private addText(type: CharacterType, text: string): void {
    this._flushRun('');
    const token = this.currentCharacterToken;
    if (token !== null && token.type === type) {
      token.chars += text;
      return;
    }
    if (token !== null) this._emitCurrentCharacterToken(null);
    this.currentCharacterToken = { type, chars: text, location: null };
  }

  private notePageTag(id: names.TAG_ID): void {
    const { HTML, HEAD, BODY } = names.TAG_ID;
    if (id === HTML || id === HEAD || id === BODY) this.hasPageTags = true;
  }

  private takeWhile(cp: number, isPart: (unit: number) => boolean): void {
    this._extendRun(cp);
    const { html, pos } = this.preprocessor;
    let at = pos + 1;
    while (at < html.length && isPart(html.charCodeAt(at))) at += 1;
    this.moveTo(at);
  }

  private takeUntil(cp: number, stop: number, otherStop: number): void {
    this._extendRun(cp);
    const { html, pos } = this.preprocessor;
    const { length } = html;
    let at = pos + 1;
    for (; at < length; at += 1) {
      const unit = html.charCodeAt(at);
      if (unit === stop || unit === otherStop || unit === 0) break;
    }
    this.moveTo(at);
  }

  /** Continues at the character `at`. The characters before it belong to the run. */
  private moveTo(at: number): void {
    this.preprocessor.pos = at - 1;
    this.runEnd = at;
  }

  /** Takes the current character and the small letters, digits and hyphens after it. */
  private takeName(): string {
    const { html, pos } = this.preprocessor;
    let at = pos + 1;
    while (at < html.length && isPlainInName(html.charCodeAt(at))) at += 1;
    this.preprocessor.pos = at - 1;
    return html.slice(pos, at);
  }
}

/** Whether white space and other text must be separate tokens: in frames and columns, only white space is kept. */
function isSplitting(mode: InsertionMode): boolean {
  return (
    mode === InsertionMode.IN_COLUMN_GROUP ||
    mode === InsertionMode.IN_FRAMESET ||
    mode === InsertionMode.AFTER_FRAMESET ||
    mode === InsertionMode.AFTER_AFTER_FRAMESET
  );
}

function isPlainInName(unit: number): boolean {
  return (unit >= SMALL_A && unit <= SMALL_Z) || unit === HYPHEN || (unit >= DIGIT_ZERO && unit <= DIGIT_NINE);
}

function isPlainUnquoted(unit: number): boolean {
  if (unit >= SMALL_A && unit <= SMALL_Z) return true;
  if (unit <= 0x20 || unit === GREATER_THAN || unit === AMPERSAND) return false;
  return (
    unit !== QUOTATION_MARK && unit !== APOSTROPHE && unit !== LESS_THAN && unit !== EQUALS && unit !== GRAVE_ACCENT
  );
}
