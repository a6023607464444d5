import { element } from '../page/dom.ts';

let shown: string[] = [];

/** Links that save files. The files of the links before are forgotten. */
export function saveLinks(
  files: readonly (readonly [name: string, content: Uint8Array<ArrayBuffer> | string])[],
): HTMLElement {
  for (const url of shown) URL.revokeObjectURL(url);
  const links = files.map(([name, content]) => {
    const href = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
    return element('a', { class: 'button', href, download: name }, `Save ${name}`);
  });
  shown = links.map(({ href }) => href);
  return element('p', { class: 'buttons' }, ...links);
}

/** The bytes of a file that a person chose. @returns why it cannot be read, if it is too large or is no file */
export async function readChosen(
  file: File,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | { readonly says: string }> {
  if (file.size > maxBytes) {
    return { says: `${file.name} has ${megabytes(file.size)}. The largest that is read has ${megabytes(maxBytes)}.` };
  }
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    // A folder, or a file that was removed meanwhile.
    return { says: `${file.name} cannot be read as a file.` };
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
