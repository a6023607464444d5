import { closeSync, existsSync, fstatSync, ftruncateSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_BYTES = 20 * 1024 * 1024;
/** With the one that is written. */
const FILES = 5;

/**
 * Opens a file to append, which only its owner can read. A file that would become larger than `maxBytes` is first renamed to
 * `.1`, the one before it to `.2`, and so on; the oldest of five is replaced. While the disk is full, lines are lost.
 * @returns a function that appends whole lines. It never throws.
 */
export function openRotatedFile(path: string, maxBytes = MAX_BYTES): (lines: Buffer) => void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let fd = openSync(path, 'a', 0o600);
  let { size } = fstatSync(fd);

  function rotate(): void {
    const names = [path, ...Array.from({ length: FILES - 1 }, (_, index) => `${path}.${index + 1}`)];
    for (let index = FILES - 1; index > 0; index -= 1) {
      const [from, to] = [names[index - 1], names[index]];
      if (from !== undefined && to !== undefined && existsSync(from)) renameSync(from, to);
    }
    const next = openSync(path, 'a', 0o600);
    closeSync(fd);
    fd = next;
    size = 0;
  }

  function append(lines: Buffer): void {
    if (size > 0 && size + lines.length > maxBytes) rotate();
    let written = 0;
    try {
      while (written < lines.length) written += writeSync(fd, lines, written);
      size += written;
    } catch (error) {
      // A part of a line must not be put before the next line.
      ftruncateSync(fd, size);
      throw error;
    }
  }

  return (lines) => {
    try {
      append(lines);
    } catch {
      // Whoever writes here serves on.
    }
  };
}
