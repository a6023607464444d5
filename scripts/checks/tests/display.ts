import { createLine } from '../../launch/output/progress.ts';

const EVERY_MS = 15_000;
const REWRITE_EVERY_MS = 500;

/**
 * Shows a line of progress below what is printed: on a terminal it is rewritten, and elsewhere printed every 15 seconds.
 * @param line makes the present line
 */
export function createDisplay(line: () => string, stream: NodeJS.WriteStream = process.stdout) {
  const shown = createLine(stream);
  const show = () => shown.show(line());
  show();
  const timer = setInterval(show, stream.isTTY ? REWRITE_EVERY_MS : EVERY_MS).unref();
  return {
    print: (text: string): void => {
      shown.print(text);
      if (stream.isTTY) show();
    },
    close: (): void => {
      clearInterval(timer);
      shown.clear();
    },
  };
}
