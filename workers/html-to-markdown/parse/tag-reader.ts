import { html as names, type Token } from 'parse5';
import { readReference } from './character-reference.ts';
import { hashWith, type Name, NameTable, toSmall } from './names.ts';
import type { Source } from './source.ts';
import { checkAttributes } from './tree-adapter.ts';

const SPACE = 0x20;
const QUOTATION_MARK = 0x22;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const SOLIDUS = 0x2f;
const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;
const GRAVE_ACCENT = 0x60;
const FIRST_NON_ASCII = 0x80;

const tagNames = new NameTable(Object.values(names.TAG_NAMES).filter((name) => name === name.toLowerCase()));
const attributeNames = new NameTable(
  (
    'class id href src alt title style rel type name content property value width height data-src srcset role target lang ' +
    'dir itemprop itemscope itemtype itemid colspan rowspan align border onclick aria-label aria-hidden tabindex media'
  ).split(' '),
);
const NO_NAME: Name = { text: '', tagId: names.TAG_ID.UNKNOWN };

/**
 * Reads a whole tag at once if it is simple: its names are ASCII, its values have no character references that need a
 * decision, and it has no slash except at its end. The fields hold the last tag that was read.
 */
export class TagReader {
  name = NO_NAME;
  attributes: Token.Attribute[] = [];
  isEndTag = false;
  isSelfClosing = false;
  private readonly source: Source;
  private readonly units: Uint16Array;
  private value = '';

  constructor(source: Source) {
    this.source = source;
    this.units = source.units;
  }

  /**
   * Reads the tag whose `<` is before `start`.
   * @returns the index of its `>`, or -1 if the tag must be read step by step by the rules of WHATWG HTML (13.2.5)
   * @throws {ConversionError} DOCUMENT_TOO_COMPLEX
   */
  read(start: number): number {
    const { units } = this;
    this.isEndTag = units[start] === SOLIDUS;
    const from = this.isEndTag ? start + 1 : start;
    let at = from;
    let hash = 0;
    let unit = toSmall(units[at] ?? 0);
    if (!isSmallLetter(unit)) return -1;
    while (isSmallLetter(unit) || isDigit(unit) || unit === HYPHEN) {
      hash = hashWith(hash, unit);
      at += 1;
      unit = toSmall(units[at] ?? 0);
    }
    if (unit !== GREATER_THAN && unit !== SOLIDUS && !isSpace(unit)) return -1;
    this.name = tagNames.find(this.source, from, at, hash);
    this.attributes = [];
    this.isSelfClosing = false;
    if (unit === GREATER_THAN) return at;
    return this.isEndTag ? this.readClose(this.skipSpace(at)) : this.readAttributes(at);
  }

  private readClose(at: number): number {
    return this.units[at] === GREATER_THAN ? at : -1;
  }

  private readAttributes(from: number): number {
    const { units } = this;
    let at = from;
    for (;;) {
      const next = this.skipSpace(at);
      const unit = units[next];
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
    const { units } = this;
    let end = from;
    let hash = 0;
    let unit = toSmall(units[end] ?? 0);
    while (isAttributeNameUnit(unit)) {
      hash = hashWith(hash, unit);
      end += 1;
      unit = toSmall(units[end] ?? 0);
    }
    if (end === from || (unit !== EQUALS && unit !== GREATER_THAN && unit !== SOLIDUS && !isSpace(unit))) return -1;
    const name = attributeNames.find(this.source, from, end, hash).text;
    let at = this.skipSpace(end);
    this.value = '';
    if (units[at] === EQUALS) {
      at = this.readValue(this.skipSpace(at + 1));
      if (at < 0) return -1;
    } else at = end;
    this.push(name);
    return at;
  }

  /** Adds an attribute. Of several attributes with one name, the first counts. */
  private push(name: string): void {
    const { attributes } = this;
    for (let index = 0; index < attributes.length; index += 1) if (attributes[index]?.name === name) return;
    attributes.push({ name, value: this.value });
    checkAttributes(attributes.length);
  }

  private readValue(at: number): number {
    const { units } = this;
    const quote = units[at];
    if (quote !== QUOTATION_MARK && quote !== APOSTROPHE) return this.readUnquoted(at);
    let from = at + 1;
    let end = from;
    for (;;) {
      let unit = units[end];
      while (unit !== quote && unit !== AMPERSAND && unit !== 0) {
        end += 1;
        unit = units[end];
      }
      if (unit === quote) break;
      // A NUL, or the end of the source.
      if (unit === 0) return -1;
      const reference = readReference(this.source, end);
      if (reference === null) return -1;
      this.value += this.source.html.slice(from, end) + reference.text;
      from = reference.end;
      end = from;
    }
    const rest = this.source.html.slice(from, end);
    this.value = this.value === '' ? rest : this.value + rest;
    return end + 1;
  }

  private readUnquoted(start: number): number {
    const { units } = this;
    let at = start;
    for (;;) {
      const unit = units[at] ?? 0;
      if (isSpace(unit) || unit === GREATER_THAN) break;
      if (unit === 0 || unit === AMPERSAND || unit === QUOTATION_MARK || unit === APOSTROPHE) return -1;
      if (unit === LESS_THAN || unit === EQUALS || unit === GRAVE_ACCENT) return -1;
      at += 1;
    }
    if (at === start) return -1;
    this.value = this.source.html.slice(start, at);
    return at;
  }

  private skipSpace(from: number): number {
    const { units } = this;
    let at = from;
    while (isSpace(units[at] ?? 0)) at += 1;
    return at;
  }
}

/** TAB, LF, FF or SPACE. There is no CR, because line ends were changed to line feeds. */
export function isSpace(unit: number): boolean {
  return unit === SPACE || unit === 0x0a || unit === 0x09 || unit === 0x0c;
}

function isSmallLetter(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isAttributeNameUnit(unit: number): boolean {
  if (isSmallLetter(unit) || unit === HYPHEN) return true;
  if (unit <= SPACE || unit >= FIRST_NON_ASCII) return false;
  return !(
    unit === EQUALS ||
    unit === GREATER_THAN ||
    unit === SOLIDUS ||
    unit === QUOTATION_MARK ||
    unit === APOSTROPHE ||
    unit === LESS_THAN
  );
}
