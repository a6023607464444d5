import type { Token } from 'parse5';
import { checkAttributes } from './tree-adapter.ts';

const SPACE = 0x20;
const QUOTATION_MARK = 0x22;
const NUMBER_SIGN = 0x23;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const SOLIDUS = 0x2f;
const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;
const GRAVE_ACCENT = 0x60;
const FIRST_NON_ASCII = 0x80;

/**
 * Reads a whole tag at once if it is simple: its names are ASCII, its values have no character references except `&amp;`,
 * and it has no slash except at its end. The fields hold the last tag that was read.
 */
export class TagReader {
  name = '';
  attributes: Token.Attribute[] = [];
  isEndTag = false;
  isSelfClosing = false;
  private html = '';
  private value = '';

  /**
   * Reads the tag whose `<` is before `start`.
   * @returns the index of its `>`, or -1 if the tag must be read step by step by the rules of WHATWG HTML (13.2.5)
   * @throws {ConversionError} DOCUMENT_TOO_COMPLEX
   */
  read(html: string, start: number): number {
    this.html = html;
    this.isEndTag = html.charCodeAt(start) === SOLIDUS;
    const from = this.isEndTag ? start + 1 : start;
    const end = isLetter(html.charCodeAt(from)) ? this.endOfTagName(from) : from;
    if (end === from) return -1;
    this.name = lowerCase(html.slice(from, end));
    this.attributes = [];
    this.isSelfClosing = false;
    return this.isEndTag ? this.readClose(this.skipSpace(end)) : this.readAttributes(end);
  }

  private readClose(at: number): number {
    return this.html.charCodeAt(at) === GREATER_THAN ? at : -1;
  }

  private readAttributes(from: number): number {
    const { html } = this;
    let at = from;
    for (;;) {
      const next = this.skipSpace(at);
      const unit = html.charCodeAt(next);
      if (unit === GREATER_THAN) return next;
      if (unit === SOLIDUS) {
        this.isSelfClosing = true;
        return this.readClose(next + 1);
      }
      // White space must follow a quoted value.
      if (next === at) return -1;
      at = this.readAttribute(next);
      if (at < 0) return -1;
    }
  }

  /** @returns the index after the attribute, or -1 */
  private readAttribute(from: number): number {
    const { html } = this;
    const end = this.endOfAttributeName(from);
    if (end === from) return -1;
    const name = lowerCase(html.slice(from, end));
    let at = this.skipSpace(end);
    this.value = '';
    if (html.charCodeAt(at) === EQUALS) {
      at = this.readValue(this.skipSpace(at + 1));
      if (at < 0) return -1;
    } else at = end;
    this.push(name);
    return at;
  }

  /** Adds an attribute. Of several attributes with one name, the first counts. */
  private push(name: string): void {
    const { attributes } = this;
    for (const attribute of attributes) if (attribute.name === name) return;
    attributes.push({ name, value: this.value });
    checkAttributes(attributes.length);
  }

  private readValue(at: number): number {
    const unit = this.html.charCodeAt(at);
    if (unit === QUOTATION_MARK || unit === APOSTROPHE) return this.readQuoted(at + 1, unit);
    const end = this.endOfUnquoted(at);
    if (end === at) return -1;
    this.value = this.html.slice(at, end);
    return end;
  }

  private readQuoted(start: number, quote: number): number {
    const { html } = this;
    const { length } = html;
    let from = start;
    for (let at = start; at < length; at += 1) {
      const unit = html.charCodeAt(at);
      if (unit === quote) {
        this.value = from === start ? html.slice(start, at) : this.value + html.slice(from, at);
        return at + 1;
      }
      if (unit === AMPERSAND && canBeReference(html.charCodeAt(at + 1))) {
        if (!html.startsWith('amp;', at + 1)) return -1;
        this.value += html.slice(from, at + 1);
        from = at + 5;
        at += 4;
      } else if (unit === 0) return -1;
    }
    return -1;
  }

  private endOfUnquoted(start: number): number {
    const { html } = this;
    for (let at = start; at < html.length; at += 1) {
      const unit = html.charCodeAt(at);
      if (isSpace(unit) || unit === GREATER_THAN) return at;
      if (unit === 0 || unit === AMPERSAND || unit === QUOTATION_MARK || unit === APOSTROPHE) return start;
      if (unit === LESS_THAN || unit === EQUALS || unit === GRAVE_ACCENT) return start;
    }
    return start;
  }

  private endOfTagName(from: number): number {
    const { html } = this;
    let at = from;
    while (isTagNameUnit(html.charCodeAt(at))) at += 1;
    const unit = html.charCodeAt(at);
    return isSpace(unit) || unit === GREATER_THAN || unit === SOLIDUS ? at : from;
  }

  private endOfAttributeName(from: number): number {
    const { html } = this;
    let at = from;
    while (isAttributeNameUnit(html.charCodeAt(at))) at += 1;
    const unit = html.charCodeAt(at);
    return isSpace(unit) || unit === EQUALS || unit === GREATER_THAN || unit === SOLIDUS ? at : from;
  }

  private skipSpace(from: number): number {
    let at = from;
    while (isSpace(this.html.charCodeAt(at))) at += 1;
    return at;
  }
}

function lowerCase(name: string): string {
  for (let at = 0; at < name.length; at += 1) {
    const unit = name.charCodeAt(at);
    if (unit >= 0x41 && unit <= 0x5a) return name.toLowerCase();
  }
  return name;
}

/** TAB, LF, FF or SPACE. There is no CR, because line ends were changed to line feeds. */
function isSpace(unit: number): boolean {
  return unit === SPACE || unit === 0x0a || unit === 0x09 || unit === 0x0c;
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

function isTagNameUnit(unit: number): boolean {
  return isLetter(unit) || (unit >= 0x30 && unit <= 0x39) || unit === HYPHEN;
}

function isAttributeNameUnit(unit: number): boolean {
  if (unit >= 0x61 && unit <= 0x7a) return true;
  // After the end of the source the unit is NaN, which fails this test.
  if (!(unit > SPACE && unit < FIRST_NON_ASCII)) return false;
  return !(
    unit === EQUALS ||
    unit === GREATER_THAN ||
    unit === SOLIDUS ||
    unit === QUOTATION_MARK ||
    unit === APOSTROPHE ||
    unit === LESS_THAN
  );
}

function canBeReference(unit: number): boolean {
  return isLetter(unit) || (unit >= 0x30 && unit <= 0x39) || unit === NUMBER_SIGN;
}
