import { escapeText, isPunctuation, isSpace } from './escape.ts';
import { MARK } from './marks.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks are control characters.
const TOKEN = /[\0-\x08\x0e\x0f\x10]/g;
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

/** Writes the inline content of one block: white space collapsed as browsers do, delimiters where they parse. */
export function writeInline(source: string): string {
  const writer = new InlineWriter();
  let from = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(source); found !== null; found = TOKEN.exec(source)) {
    const mark = found[0];
    if (found.index > from) writer.text(source.slice(from, found.index), mark === MARK.linkOpen);
    from = found.index + 1;
    if (mark === MARK.verbatim || mark === MARK.linkClose) {
      const end = source.indexOf(MARK.end, from);
      const payload = source.slice(from, end);
      from = end + 1;
      TOKEN.lastIndex = from;
      if (mark === MARK.verbatim) writer.verbatim(payload);
      else writer.close({ mark, destination: payload });
    } else if (mark === MARK.lineBreak) writer.lineBreak();
    else if (CLOSES[mark] === undefined) writer.open(mark);
    else writer.close({ mark, destination: '' });
  }
  if (from < source.length) writer.text(source.slice(from), false);
  return writer.finish();
}

/** Opening, closing and white space wait until the next character is known, so that space always stands outside. */
class InlineWriter {
  private readonly pieces: string[] = [];
  private readonly opened: Open[] = [];
  private closing: Close[] = [];
  private opening: string[] = [];
  private space = false;
  private breaks = false;
  private last = '';

  text(raw: string, beforeLink: boolean): void {
    const collapsed = raw.replace(/[ \t\n\f\r]+/g, ' ');
    const start = collapsed.startsWith(' ') ? 1 : 0;
    const end = collapsed.endsWith(' ') ? collapsed.length - 1 : collapsed.length;
    if (start === 1) this.space = true;
    if (start >= end) return;
    const text = collapsed.slice(start, end);
    this.settle(text.charAt(0));
    const spaced = end < collapsed.length;
    const atLineStart = this.last === '' || this.last === '\n';
    const after = spaced ? ' ' : beforeLink ? '[' : '';
    this.write(escapeText(text, { before: this.last, after, atLineStart, beforeLink: beforeLink && !spaced }));
    this.last = text.charAt(text.length - 1);
    this.space = spaced;
  }

  verbatim(markdown: string): void {
    if (markdown === '') return;
    this.settle(markdown.charAt(0));
    this.write(markdown);
    this.last = markdown.charAt(markdown.length - 1);
  }

  lineBreak(): void {
    this.space = false;
    if (this.pieces.length > 0) this.breaks = true;
  }

  open(mark: string): void {
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

  close(close: Close): void {
    if (this.opening.at(-1) === CLOSES[close.mark]) this.opening.pop();
    else this.closing.push(close);
  }

  finish(): string {
    this.breaks = false;
    this.space = false;
    this.opening = [];
    this.settle('');
    return this.pieces.join('');
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
