import { defined } from '../../exact/defined.ts';
import { joinSpans } from './text/code-span.ts';
import { escapeText, isPunctuation, isSpace, MAYBE } from './text/escape.ts';
import { isMarkCode, MARK, withoutMarks } from './text/marks.ts';

const CLOSES: Readonly<Record<string, string>> = {
  [MARK.emphasisClose]: MARK.emphasisOpen,
  [MARK.strongClose]: MARK.strongOpen,
  [MARK.deletedClose]: MARK.deletedOpen,
  [MARK.linkClose]: MARK.linkOpen,
};
const DELIMITERS: Readonly<Record<string, readonly string[]>> = {
  [MARK.emphasisOpen]: ['*', '_'],
  [MARK.strongOpen]: ['**', '__'],
  [MARK.deletedOpen]: ['~~'],
};

/** The mark of a delimiter that opens and closes but is not written. */
const IGNORED = '';

interface Open {
  readonly mark: string;
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

interface Close {
  readonly mark: string;
  readonly destination: string;
}

const VISIBLE = /[^\0-\x20\x7f]/;
const BLANK = /^[ \t\n\f\r]+$/;
const SPACE = /[ \t\n\f\r]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const IRREGULAR = /[\0-\x1f\x7f]| {2}/;
const NUMBER_END = /^[.)](?:\s|$)/;
const SPACES = /[ \t\n\f\r]{2,}|[\t\n\f\r]/g;
const SPACE_CODE = 0x20;
const LINE_AT_START = /^[ \t\f\r]*\n/;
const LINE_AT_END = /\n[ \t\f\r]*$/;
/** Characters of scripts that do not part words with spaces, and their signs (CSS Text 4, 4.3.1). Korean does. */
const WIDE = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\uff01-\uff60\u30fc]`;
const WIDE_BREAK = new RegExp(String.raw`(?<=${WIDE})[ \t\f\r]*\n\s*(?=${WIDE})`, 'gu');
const WIDE_ONE = new RegExp(`^${WIDE}$`, 'u');
const MAY_BE_WIDE = /[\u2e80-\uffff]/;

/**
 * Writes the inline content of one block after another. White space is collapsed as in browsers, and delimiters are written
 * only where they parse. Opening and closing delimiters and white space wait until the next character is known, so that
 * space is always outside delimiters.
 */
export class InlineWriter {
  /** Called with every piece before it is written. It throws to refuse more output. */
  private readonly spend: (piece: string) => void;
  private readonly pieces: string[] = [];
  private readonly opened: Open[] = [];
  private closing: Close[] = [];
  private opening: string[] = [];
  /** Text that is not written yet. Adjacent text nodes are one text. */
  private pending = '';
  private codeSpans = 0;
  private space = false;
  /** Whether the white space that waits has a line break. */
  private isLineSpace = false;
  private breaks = false;
  private last = '';
  /** The character before the delimiters that closed last. '' if other text came after them. */
  private beforeRun = '';

  constructor(spend: (piece: string) => void) {
    this.spend = spend;
  }

  /** Text of the source. Its control characters are left out. */
  text(raw: string): void {
    // White space between elements is most of the texts of many pages.
    if (this.pending === '' && raw.charCodeAt(0) <= SPACE_CODE && BLANK.test(raw)) {
      this.space = true;
      this.isLineSpace ||= raw.includes('\n');
    } else this.pending += raw;
  }

  /** Text that a rule wrote, with marks. */
  marked(source: string): void {
    if (source.length === 1 && isMarkCode(source.charCodeAt(0))) {
      this.mark(source);
      return;
    }
    let from = 0;
    for (let at = 0; at < source.length; at += 1) {
      if (!isMarkCode(source.charCodeAt(at))) continue;
      const mark = source.charAt(at);
      if (at > from) this.pending += source.slice(from, at);
      const fixed = mark === MARK.linkClose ? this.takeFixedSpace() : '';
      this.settleText(mark === MARK.linkOpen ? '[' : MAYBE);
      from = at + 1;
      if (mark === MARK.verbatim || mark === MARK.linkClose) {
        const end = source.indexOf(MARK.end, from);
        const payload = source.slice(from, end);
        from = end + 1;
        at = end;
        if (mark === MARK.verbatim) this.verbatim(payload);
        else this.close({ mark, destination: payload });
        this.pending = fixed;
      } else this.follow(mark);
    }
    if (from < source.length) this.pending += from === 0 ? source : source.slice(from);
  }

  /** One mark without a payload. */
  private mark(mark: string): void {
    const after = CLOSES[mark] === undefined ? '' : this.takeFixedSpace();
    this.settleText(mark === MARK.linkOpen ? '[' : MAYBE);
    this.follow(mark);
    this.pending = after;
  }

  /** Takes the white space at the end of the waiting text, if it has spaces that do not collapse. Delimiters cannot follow it. */
  private takeFixedSpace(): string {
    const text = this.pending;
    let start = text.length;
    let isFixed = false;
    for (; start > 0; start -= 1) {
      const unit = text.charCodeAt(start - 1);
      if (isFixedSpace(unit)) isFixed = true;
      else if (!isWhiteSpace(unit)) break;
    }
    if (!isFixed) return '';
    this.pending = text.slice(0, start);
    return text.slice(start);
  }

  private follow(mark: string): void {
    if (mark === MARK.lineBreak) this.lineBreak();
    else if (CLOSES[mark] === undefined) this.open(mark);
    else this.close({ mark, destination: '' });
  }

  /** Ends the block and returns it. Delimiters that are still open are dropped; the caller may open them again. */
  finish(): string {
    this.settleText('');
    this.breaks = false;
    this.space = false;
    this.opening = [];
    if (this.pieces.length === 0) return '';
    this.settle('');
    const block = (this.codeSpans > 1 ? joinSpans(this.pieces) : this.pieces).join('');
    this.codeSpans = 0;
    this.pieces.length = 0;
    this.opened.length = 0;
    this.last = '';
    return block;
  }

  private settleText(follows: string): void {
    const raw = this.pending;
    if (raw === '') return;
    this.pending = '';
    const { text: whole, startsWithSpace, endsWithSpace: spaced } = collapse(raw);
    if (startsWithSpace) {
      this.space = true;
      this.isLineSpace ||= LINE_AT_START.test(raw);
    }
    const text = this.opening.length > 0 && isFixedSpace(whole.charCodeAt(0)) ? this.writeFixedSpace(whole) : whole;
    if (text === '') {
      this.space ||= spaced;
      return;
    }
    this.settle(text.charAt(0));
    const atLineStart = this.last === '' || this.last === '\n';
    const after = spaced && follows !== MAYBE ? ' ' : follows;
    const isBesideDelimiter = this.pieces[this.pieces.length - 1] === '';
    const before = isBesideDelimiter ? MAYBE : this.last;
    if (isBesideDelimiter && NUMBER_END.test(text) && /\d/.test(this.last)) this.write('\\');
    this.write(escapeText(text, { before, after, atLineStart }));
    this.last = text.charAt(text.length - 1);
    this.space = spaced;
    this.isLineSpace = spaced && LINE_AT_END.test(raw);
  }

  /** Writes the white space that a text begins with before the delimiters that wait for it. @returns the rest of the text */
  private writeFixedSpace(text: string): string {
    const rest = text.trimStart();
    const { opening } = this;
    this.opening = [];
    this.settle(text.charAt(0));
    this.write(text.slice(0, text.length - rest.length));
    this.last = text.charAt(text.length - rest.length - 1);
    this.opening = opening;
    return rest;
  }

  private verbatim(markdown: string): void {
    if (markdown === '') return;
    this.settle(markdown.charAt(0));
    if (markdown.startsWith('`')) this.codeSpans += 1;
    this.write(markdown);
    this.last = markdown.charAt(markdown.length - 1);
  }

  /** Whether a line break is the last that was written, besides white space. */
  endsLine(): boolean {
    return this.breaks && this.pending.trim() === '';
  }

  private lineBreak(): void {
    this.space = false;
    if (this.pieces.length > 0) this.breaks = true;
  }

  private open(mark: string): void {
    const isBeside = !this.space && !this.breaks && mark !== MARK.linkOpen;
    if (!isBeside || !this.closing.some((closing) => CLOSES[closing.mark] === mark)) this.opening.push(mark);
    else if (this.opening.length === 0 && CLOSES[defined(this.closing.at(-1)).mark] === mark) this.closing.pop();
    else {
      // Delimiters that close and open here in another order would be one run and parse differently. So none opens.
      this.opening = this.opening.map((other) => (other === MARK.linkOpen ? other : IGNORED));
      this.opening.push(IGNORED);
    }
  }

  private close(close: Close): void {
    const opening = this.opening[this.opening.length - 1];
    if (opening === CLOSES[close.mark] || opening === IGNORED) this.opening.pop();
    else this.closing.push(close);
  }

  private write(piece: string): void {
    this.spend(piece);
    this.pieces.push(piece);
  }

  /** Writes waiting delimiters and white space, now that the next character is known. */
  private settle(next: string): void {
    // Between characters of scripts without spaces, a line break of the source is none.
    if (this.isLineSpace && WIDE_ONE.test(this.last) && WIDE_ONE.test(next)) this.space = false;
    this.isLineSpace = false;
    const opening = this.opening;
    const linkOpens = opening.length === 0 ? -1 : opening.lastIndexOf(MARK.linkOpen);
    if (this.closing.length > 0) {
      const isParted = this.breaks || this.space;
      this.writeClosing(isParted ? ' ' : linkOpens >= 0 ? '[' : next);
    }
    if (this.breaks || this.space) this.beforeRun = '';
    if (this.breaks) {
      this.write('\\\n');
      this.last = '\n';
    } else if (this.space && this.last !== '' && this.last !== '\n') {
      this.write(' ');
      this.last = ' ';
    }
    this.space = false;
    this.breaks = false;
    if (opening.length > 0) {
      this.opening = [];
      this.writeOpening(opening, linkOpens, next);
    }
    this.beforeRun = '';
  }

  /** Reserves a place for each opening delimiter. Whether it is written is decided when it closes. */
  private writeOpening(opening: readonly string[], linkOpens: number, next: string): void {
    // Delimiters that close right before belong to the same run.
    const beforeRun = this.beforeRun === '' ? this.last : this.beforeRun;
    for (const [index, mark] of opening.entries()) {
      const isLink = mark === MARK.linkOpen;
      if (!isLink) {
        // Delimiters of another character count as punctuation. Those of the same character are one run.
        const isMixed = opening.some(
          (other, at) => at > index && (other === MARK.deletedOpen) !== (mark === MARK.deletedOpen),
        );
        const after = index < linkOpens ? '[' : isMixed && !isSpace(next) ? MAYBE : next;
        const before = this.last === '[' ? '[' : beforeRun;
        this.opened.push({ mark, at: this.pieces.length, before, after });
        this.write('');
        continue;
      }
      this.opened.push({ mark, at: this.pieces.length, before: this.last, after: next });
      if (this.last === '!') this.escapeLast();
      this.write('[');
      this.last = '[';
    }
  }

  /** Escapes a `!` before a link, which would make it an image. */
  private escapeLast(): void {
    let at = this.pieces.length - 1;
    while (this.pieces[at] === '') at -= 1;
    this.pieces[at] = `${defined(this.pieces[at]).slice(0, -1)}\\!`;
  }

  private writeClosing(next: string): void {
    const closing = this.closing;
    this.closing = [];
    let links = 0;
    for (const { mark } of closing) if (mark === MARK.linkClose) links += 1;
    for (const close of closing) {
      if (close.mark === MARK.linkClose) links -= 1;
      this.writeClose(close, links > 0 ? ']' : next);
    }
  }

  private writeClose({ mark, destination }: Close, next: string): void {
    const open = this.opened.pop();
    if (open === undefined) return;
    if (mark === MARK.linkClose) {
      this.write(`](${destination})`);
      this.last = ')';
      this.beforeRun = '';
      return;
    }
    const canOpen = (character: string) => opens(character, open.before, open.after);
    const inner = this.pieces[open.at + 1];
    // An ignored delimiter has no choices.
    const choices = DELIMITERS[open.mark] ?? [];
    const usable = choices.filter((choice) => canOpen(choice) && closes(choice, this.last, next));
    const isSame = (choice: string) => inner === choice || (inner === '*' && choice === '**');
    const chosen = usable.find((choice) => !isSame(choice)) ?? usable[0];
    if (chosen === undefined) return;
    this.pieces[open.at] = chosen;
    this.write(chosen);
    if (this.beforeRun === '') this.beforeRun = this.last;
    this.last = chosen.charAt(0);
  }
}

interface Collapsed {
  /** '' if nothing is visible. */
  readonly text: string;
  readonly startsWithSpace: boolean;
  readonly endsWithSpace: boolean;
}

/** Text without control characters, with one space for each run of white space, and without the space at its ends. */
function collapse(raw: string): Collapsed {
  let start = 0;
  let end = raw.length;
  while (start < end && isWhiteSpace(raw.charCodeAt(start))) start += 1;
  while (end > start && isWhiteSpace(raw.charCodeAt(end - 1))) end -= 1;
  const inner = raw.slice(start, end);
  if (!IRREGULAR.test(inner)) return { text: inner, startsWithSpace: start > 0, endsWithSpace: end < raw.length };
  if (!VISIBLE.test(inner)) return { text: '', startsWithSpace: SPACE.test(raw), endsWithSpace: false };
  const unmarked = withoutMarks(raw);
  const joined = MAY_BE_WIDE.test(unmarked) ? unmarked.replace(WIDE_BREAK, '') : unmarked;
  const collapsed = joined.replace(SPACES, ' ');
  const isAtStart = collapsed.charCodeAt(0) === SPACE_CODE;
  const isAtEnd = collapsed.charCodeAt(collapsed.length - 1) === SPACE_CODE;
  return {
    text: collapsed.slice(isAtStart ? 1 : 0, isAtEnd ? -1 : undefined),
    startsWithSpace: isAtStart,
    endsWithSpace: isAtEnd,
  };
}

/** White space that browsers collapse: TAB, LF, FF, CR and SPACE. */
function isWhiteSpace(unit: number): boolean {
  return unit === SPACE_CODE || unit === 0x0a || unit === 0x09 || unit === 0x0c || unit === 0x0d;
}

/** White space that browsers keep, such as a no-break space. */
function isFixedSpace(unit: number): boolean {
  if (unit < 0xa0) return false;
  return unit === 0xa0 || unit === 0x202f || unit === 0x3000 || unit === 0x205f || (unit >= 0x2000 && unit <= 0x200a);
}

/**
 * Whether a delimiter run between these characters is left-flanking and can open (CommonMark 0.31.2, 6.2). Parsers disagree
 * about characters beyond the basic plane, so half a surrogate pair counts as the worse case.
 */
function opens(delimiter: string, before: string, after: string): boolean {
  if (isSpace(after)) return false;
  const isFree = isSpace(before) || isPunctuation(before);
  if (isSharp(after) && !isFree) return false;
  return delimiter.charAt(0) !== '_' || isFree;
}

function closes(delimiter: string, before: string, after: string): boolean {
  if (isSpace(before)) return false;
  const isFree = isSpace(after) || isPunctuation(after);
  if (isSharp(before) && !isFree) return false;
  return delimiter.charAt(0) !== '_' || isFree;
}

function isSharp(character: string): boolean {
  return isPunctuation(character) || /[\ud800-\udfff]/.test(character);
}
