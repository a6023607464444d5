import { InsertionMode, html as names, Token, Tokenizer } from 'parse5';
import { TagReader } from './tag-reader.ts';
import { checkAttributes } from './tree-adapter.ts';

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

/** The parser, as far as it tells how text is to be split. */
interface ModeHolder {
  readonly insertionMode?: InsertionMode;
}

/**
 * parse5's tokenizer with the states that nearly all characters pass in bulk: stock parse5 makes a step of its machine
 * for every character. What one character alone decides (`<`, `&`, NUL, quotes …) is left to parse5. The input has to
 * come whole, with line feeds for line ends, and locations are not kept. Trees are those of stock parse5.
 *
 * Text is handed over in longer pieces: one that begins with another character than white space takes the white space
 * in it along, which the tree construction of WHATWG HTML (13.2.6) treats alike, frames and columns apart.
 */
export class FastTokenizer extends Tokenizer {
  /** Whether the source has an html, head or body tag of its own. */
  hasPageTags = false;
  private hasNul = false;
  private readonly tag = new TagReader();

  override write(source: string, isLast: boolean): void {
    this.hasNul = source.includes('\0');
    // The source is there as a whole: cutting off what is read gains nothing.
    this.preprocessor.bufferWaterline = Number.POSITIVE_INFINITY;
    super.write(source, isLast);
  }

  /** As in parse5, but text may share the source's memory: both are let go when the page is converted. */
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
    const token = this.currentToken as Token.TagToken;
    const name = token.tagName;
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
    else (this.currentToken as Token.TagToken).tagName += this.takeName();
  }

  protected override _stateAttributeName(cp: number): void {
    // Here and not only at the tag's end: parse5 compares each name with all before it.
    checkAttributes((this.currentToken as Token.TagToken).attrs.length);
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

  /** Whether a whole tag stood there, and was handed over. */
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

  /** Text from the character `cp`, which is part of it, to `<`, `&` or NUL. */
  private takeText(cp: number): void {
    if (isSplitting((this.handler as ModeHolder).insertionMode)) {
      this._emitCodePoint(cp);
    } else if (isWhiteSpace(cp) && this.currentCharacterToken?.type !== Token.TokenType.CHARACTER) {
      this._ensureCharacterToken(Token.TokenType.WHITESPACE_CHARACTER);
      this.takeWhile(cp, isWhiteSpace);
    } else {
      this._ensureCharacterToken(Token.TokenType.CHARACTER);
      this.takeUntil(cp, LESS_THAN, AMPERSAND);
    }
  }

  /** Text of a script or the like, which may be long. */
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

  /** Goes on with the character at `at`; what is before it belongs to the run. */
  private moveTo(at: number): void {
    this.preprocessor.pos = at - 1;
    this.runEnd = at;
  }

  /** The current character and the small letters, digits and hyphens after it. */
  private takeName(): string {
    const { html, pos } = this.preprocessor;
    let at = pos + 1;
    while (at < html.length && isPlainInName(html.charCodeAt(at))) at += 1;
    this.preprocessor.pos = at - 1;
    return html.slice(pos, at);
  }
}

/** Where white space is kept and other text is not, among frames and columns, they must stay apart. */
function isSplitting(mode: InsertionMode | undefined): boolean {
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
