const EVERY_MS = 15_000;
const REWRITE_EVERY_MS = 500;
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Shows a line of progress below what is printed: on a terminal it is rewritten, and elsewhere printed every 15 seconds.
 * @param line makes the present line
 */
export function createDisplay(line: () => string, stream: NodeJS.WriteStream = process.stdout) {
  const isTerminal = stream.isTTY;
  const show = () => {
    const text = line();
    stream.write(isTerminal ? `${CLEAR_LINE}${text.slice(0, stream.columns - 1)}` : `${text}\n`);
  };
  show();
  const timer = setInterval(show, isTerminal ? REWRITE_EVERY_MS : EVERY_MS).unref();
  return {
    print: (text: string): void => {
      stream.write(`${isTerminal ? CLEAR_LINE : ''}${text.trimEnd()}\n`);
      if (isTerminal) show();
    },
    close: (): void => {
      clearInterval(timer);
      if (isTerminal) stream.write(CLEAR_LINE);
    },
  };
}
