import { InsertionMode, html as names, type Parser, Token, Tokenizer } from 'parse5';
import { TagReader } from './tag-reader.ts';
import { checkAttributes, type TreeAdapterMap } from './tree-adapter.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const FORM_FEED = 0x0c;
const SPACE = 0x20;
const QUOTATION_MARK = 0x22;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;
const SMALL_A = 0x61;
const GRAVE_ACCENT = 0x60;
const SMALL_Z = 0x7a;

/**
 * parse5's tokenizer, which reads runs of ordinary characters at once. Stock parse5 makes a step of its state machine for
 * every character. Characters that decide something (`<`, `&`, NUL, quotes …) are still left to parse5. The input must come
 * whole and have line feeds as line ends, and locations are not recorded. The trees are those of stock parse5.
 *
 * Text is emitted in longer pieces. A piece that does not begin with white space includes white space after its start. The
 * tree construction of WHATWG HTML (13.2.6) treats both alike, except in frames and columns.
 */
export class FastTokenizer extends Tokenizer {
  /** Whether the source itself has an html, head or body tag. */
  hasPageTags = false;
  private hasNul = false;
  private readonly tag = new TagReader();
  private readonly parser: Parser<TreeAdapterMap>;

  constructor(parser: Parser<TreeAdapterMap>) {
    super({ sourceCodeLocationInfo: false }, parser);
    this.parser = parser;
  }

  override write(source: string, isLast: boolean): void {
    this.hasNul = source.includes('\0');
    // The source is in memory as a whole, so dropping the part that was read gains nothing.
    this.preprocessor.bufferWaterline = Number.POSITIVE_INFINITY;
    super.write(source, isLast);
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

  protected override emitCurrentTagToken(): void {
    const name = this.currentTag().tagName;
    if (name === 'html' || name === 'body' || name === 'head') this.hasPageTags = true;
    super.emitCurrentTagToken();
  }

  protected override _stateData(cp: number): void {
    if (cp === LESS_THAN) {
      if (!this.takeTag()) super._stateData(cp);
    } else if (cp === AMPERSAND || cp <= 0) super._stateData(cp);
    else this.takeText(cp);
  }

  protected override _stateRcdata(cp: number): void {
    if (cp === LESS_THAN || cp === AMPERSAND || cp <= 0) super._stateRcdata(cp);
    else this.takeText(cp);
  }

  protected override _stateRawtext(cp: number): void {
    if (cp === LESS_THAN || cp <= 0) super._stateRawtext(cp);
    else this.takeRaw(cp);
  }

  protected override _stateScriptData(cp: number): void {
    if (cp === LESS_THAN || cp <= 0) super._stateScriptData(cp);
    else this.takeRaw(cp);
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

  /** Reads and emits a whole tag. @returns false if the tag must be read step by step */
  private takeTag(): boolean {
    const { tag, preprocessor } = this;
    const end = tag.read(preprocessor.html, preprocessor.pos + 1);
    if (end < 0) return false;
    this._flushRun('');
    this.currentToken = {
      type: tag.isEndTag ? Token.TokenType.END_TAG : Token.TokenType.START_TAG,
      tagName: tag.name,
      tagID: names.TAG_ID.UNKNOWN,
      selfClosing: tag.isSelfClosing,
      ackSelfClosing: false,
      attrs: tag.attributes,
      location: null,
    };
    preprocessor.pos = end;
    this.emitCurrentTagToken();
    return true;
  }

  /** Reads text from the character `cp` to the next `<`, `&` or NUL. */
  private takeText(cp: number): void {
    if (isSplitting(this.parser.insertionMode)) {
      this._emitCodePoint(cp);
    } else if (isWhiteSpace(cp) && this.currentCharacterToken?.type !== Token.TokenType.CHARACTER) {
      this._ensureCharacterToken(Token.TokenType.WHITESPACE_CHARACTER);
      this.takeWhile(cp, isWhiteSpace);
    } else {
      this._ensureCharacterToken(Token.TokenType.CHARACTER);
      this.takeUntil(cp, LESS_THAN, AMPERSAND);
    }
  }

  /** Reads text of a script or the like, which may be long. */
  private takeRaw(cp: number): void {
    this._ensureCharacterToken(Token.TokenType.CHARACTER);
    if (this.hasNul) return void this.takeUntil(cp, LESS_THAN, LESS_THAN);
    this._extendRun(cp);
    const { html, pos } = this.preprocessor;
    const end = html.indexOf('<', pos + 1);
    this.moveTo(end < 0 ? html.length : end);
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

function isWhiteSpace(unit: number): boolean {
  return unit === SPACE || unit === LINE_FEED || unit === TAB || unit === FORM_FEED;
}

function isPlainInName(unit: number): boolean {
  return (unit >= SMALL_A && unit <= SMALL_Z) || unit === HYPHEN || (unit >= DIGIT_ZERO && unit <= DIGIT_NINE);
}

function isPlainUnquoted(unit: number): boolean {
  if (unit >= SMALL_A && unit <= SMALL_Z) return true;
  if (unit <= SPACE || unit === GREATER_THAN || unit === AMPERSAND) return false;
  return (
    unit !== QUOTATION_MARK && unit !== APOSTROPHE && unit !== LESS_THAN && unit !== EQUALS && unit !== GRAVE_ACCENT
  );
}
