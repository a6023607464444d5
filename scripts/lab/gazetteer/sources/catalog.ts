const MAGIC = 0x950412de;

/**
 * Reads the entries of a GNU MO file by key (https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html).
 * @throws {Error} if the file is not a little-endian MO file
 */
export function readCatalog(bytes: Buffer): ReadonlyMap<string, string> {
  if (bytes.readUInt32LE(0) !== MAGIC) throw new Error('the file is not a little-endian MO file');
  const count = bytes.readUInt32LE(8);
  const originals = bytes.readUInt32LE(12);
  const translations = bytes.readUInt32LE(16);
  const textAt = (entry: number) => {
    const start = bytes.readUInt32LE(entry + 4);
    return bytes.toString('utf8', start, start + bytes.readUInt32LE(entry));
  };
  const entries = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const key = textAt(originals + index * 8);
    // The entry without a key describes the file.
    if (key !== '') entries.set(key, textAt(translations + index * 8));
  }
  return entries;
}
