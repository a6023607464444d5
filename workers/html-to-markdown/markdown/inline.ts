import { escapeText, isPunctuation, isSpace } from './escape.ts';
import { isMarkCode, MARK, withoutMarks } from './marks.ts';

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
const SPACE = /[ \t\n\f\r]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const IRREGULAR = /[\0-\x1f\x7f]| {2}/;
const SPACES = /[ \t\n\f\r]{2,}|[\t\n\f\r]/g;
const SPACE_CODE = 0x20;

/**
 * Writes the inline content of one block after the other: white space collapsed as browsers do, delimiters where they
 * parse. Opening, closing and white space wait until the next character is known, so that space always stands outside.
 */
export class InlineWriter {
  private readonly pieces: string[] = [];
  private readonly opened: Open[] = [];
  private closing: Close[] = [];
  private opening: string[] = [];
  /** Text nodes side by side are one text. */
  private pending = '';
  private space = false;
  private breaks = false;
  private last = '';

  /** Text of the source: control characters are none of it. */
  text(raw: string): void {
    this.pending += raw;
  }

  /** What a rule writes: text, with marks. */
  marked(source: string): void {
    let from = 0;
    for (let at = 0; at < source.length; at += 1) {
      if (!isMarkCode(source.charCodeAt(at))) continue;
      const mark = source.charAt(at);
      if (at > from) this.pending += source.slice(from, at);
      this.settleText(mark === MARK.linkOpen);
      from = at + 1;
      if (mark === MARK.verbatim || mark === MARK.linkClose) {
        const end = source.indexOf(MARK.end, from);
        const payload = source.slice(from, end);
        from = end + 1;
        at = end;
        if (mark === MARK.verbatim) this.verbatim(payload);
        else this.close({ mark, destination: payload });
      } else if (mark === MARK.lineBreak) this.lineBreak();
      else if (CLOSES[mark] === undefined) this.open(mark);
      else this.close({ mark, destination: '' });
    }
    if (from < source.length) this.pending += from === 0 ? source : source.slice(from);
  }

  /** Ends the block. What is open stays open only for the caller. */
  finish(): string {
    this.settleText(false);
    this.breaks = false;
    this.space = false;
    this.opening = [];
    if (this.pieces.length === 0) return '';
    this.settle('');
    const block = this.pieces.length === 1 ? (this.pieces[0] ?? '') : this.pieces.join('');
    this.pieces.length = 0;
    this.opened.length = 0;
    this.last = '';
    return block;
  }

  private settleText(beforeLink: boolean): void {
    const raw = this.pending;
    if (raw === '') return;
    this.pending = '';
    if (!VISIBLE.test(raw)) {
      this.space ||= SPACE.test(raw);
      return;
    }
    const collapsed = IRREGULAR.test(raw) ? withoutMarks(raw).replace(SPACES, ' ') : raw;
    const start = collapsed.charCodeAt(0) === SPACE_CODE ? 1 : 0;
    const end = collapsed.charCodeAt(collapsed.length - 1) === SPACE_CODE ? collapsed.length - 1 : collapsed.length;
    if (start === 1) this.space = true;
    const text = collapsed.slice(start, end);
    this.settle(text.charAt(0));
    const spaced = end < collapsed.length;
    const atLineStart = this.last === '' || this.last === '\n';
    const after = spaced ? ' ' : beforeLink ? '[' : '';
    this.write(escapeText(text, { before: this.last, after, atLineStart, beforeLink: beforeLink && !spaced }));
    this.last = text.charAt(text.length - 1);
    this.space = spaced;
  }

  private verbatim(markdown: string): void {
    if (markdown === '') return;
    this.settle(markdown.charAt(0));
    this.write(markdown);
    this.last = markdown.charAt(markdown.length - 1);
  }

  private lineBreak(): void {
    this.space = false;
    if (this.pieces.length > 0) this.breaks = true;
  }

  private open(mark: string): void {
    const closing = this.closing.at(-1);
    if (
      closing !== undefined &&
      !this.space &&
      !this.breaks &&
      mark !== MARK.linkOpen &&
      CLOSES[closing.mark] === mark
    ) {
      this.closing.pop();
    } else this.opening.push(mark);
  }

  private close(close: Close): void {
    if (this.opening.at(-1) === CLOSES[close.mark]) this.opening.pop();
    else this.closing.push(close);
  }

  private write(piece: string): void {
    this.pieces.push(piece);
  }

  /** Writes what waits, now that the next character is known. */
  private settle(next: string): void {
    if (this.closing.length > 0) {
      const closing = this.closing;
      this.closing = [];
      const follows = this.breaks || this.space ? ' ' : this.opening.length > 0 ? '*' : next;
      for (const close of closing) this.writeClose(close, follows);
    }
    if (this.breaks) {
      this.write('\\\n');
      this.last = '\n';
    } else if (this.space && this.last !== '' && this.last !== '\n') {
      this.write(' ');
      this.last = ' ';
    }
    this.space = false;
    this.breaks = false;
    for (const mark of this.opening) {
      this.opened.push({ mark, at: this.pieces.length, before: this.last, after: next });
      this.write(mark === MARK.linkOpen ? '[' : '');
      this.last = mark === MARK.linkOpen ? '[' : '*';
    }
    this.opening = [];
  }

  private writeClose({ mark, destination }: Close, next: string): void {
    const open = this.opened.pop();
    if (open === undefined) return;
    if (mark === MARK.linkClose) {
      this.write(`](${destination})`);
      this.last = ')';
      return;
    }
    const canOpen = (character: string) => opens(character, open.before, open.after);
    const inner = this.pieces[open.at + 1] ?? '';
    const choices = DELIMITERS[open.mark] ?? [];
    const usable = choices.filter((choice) => canOpen(choice) && closes(choice, this.last, next));
    const isSame = (choice: string) => inner === choice || (inner === '*' && choice === '**');
    const chosen = usable.find((choice) => !isSame(choice)) ?? usable[0];
    if (chosen === undefined) return;
    this.pieces[open.at] = chosen;
    this.write(chosen);
    this.last = chosen.charAt(0);
  }
}

/** CommonMark 0.31.2, 6.2: whether a delimiter run between these characters is left-flanking and may open. */
function opens(delimiter: string, before: string, after: string): boolean {
  if (isSpace(after)) return false;
  const afterFree = isSpace(before) || isPunctuation(before);
  if (isPunctuation(after) && !afterFree) return false;
  return delimiter.charAt(0) !== '_' || afterFree;
}

function closes(delimiter: string, before: string, after: string): boolean {
  if (isSpace(before)) return false;
  const free = isSpace(after) || isPunctuation(after);
  if (isPunctuation(before) && !free) return false;
  return delimiter.charAt(0) !== '_' || free;
}
