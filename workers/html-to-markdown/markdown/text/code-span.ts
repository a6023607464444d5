/** Writes a code span. @param code neither empty nor white space alone */
export function writeSpan(code: string): string {
  const fence = fenceFor(code, 1);
  const padding = /^`|`$|^ .* $/s.test(code) ? ' ' : '';
  return `${fence}${padding}${code}${padding}${fence}`;
}

/** Merges adjacent code spans among pieces of Markdown. Their backticks would run into each other. */
export function joinSpans(pieces: readonly string[]): string[] {
  const joined: string[] = [];
  let codes: string[] = [];
  const endSpan = () => {
    if (codes.length > 0) joined.push(writeSpan(codes.join('')));
    codes = [];
  };
  for (const piece of pieces) {
    if (piece === '') continue;
    if (piece.startsWith('`')) codes.push(readSpan(piece));
    else {
      endSpan();
      joined.push(piece);
    }
  }
  endSpan();
  return joined;
}

/** A fence of at least `least` backticks, with more backticks than any run in the code. */
export function fenceFor(code: string, least: number): string {
  let longest = least - 1;
  let run = 0;
  for (let at = code.indexOf('`'); at >= 0 && at < code.length; at += 1) {
    run = code.charAt(at) === '`' ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return '`'.repeat(longest + 1);
}

function readSpan(span: string): string {
  let fence = 0;
  while (span.charAt(fence) === '`') fence += 1;
  const code = span.slice(fence, -fence);
  return /^ .*[^ ].* $/s.test(code) ? code.slice(1, -1) : code;
}
