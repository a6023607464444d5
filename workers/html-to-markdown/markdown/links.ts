const KEPT_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Resolves the addresses of one document against its `<base>` and the caller's `sourceUrl`. */
export function createLinkResolver(
  base: string | null,
  sourceUrl: string | undefined,
): (address: string) => string | null {
  const root = sourceUrl === undefined ? undefined : parse(sourceUrl);
  const resolved = parse(base ?? '', root) ?? root;

  return (address) => {
    // A browser drops these before it looks at the scheme, so `java\nscript:` would run there.
    const trimmed = address.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
    if (trimmed === '') return null;
    if (trimmed.startsWith('#')) return encode(trimmed);
    const url = parse(trimmed, resolved);
    if (url !== undefined) return KEPT_SCHEMES.has(url.protocol) ? encode(url.href) : null;
    return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? null : encode(trimmed);
  };
}

function parse(address: string, base?: URL): URL | undefined {
  return URL.parse(address, base?.href) ?? undefined;
}

/** Characters that would end a Markdown link destination, or are no part of an address. */
function encode(address: string): string {
  return address.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is for.
    /[\s\0-\x1f\x7f()<>\\`]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
