import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'code with line breaks becomes a block',
    '<p>Run:</p><code>cd app<br>npm start</code>',
    'Run:\n\n```\ncd app\nnpm start\n```',
  ],
  ['code with blocks becomes a block', '<code><div>a</div><div>b</div></code>', '```\na\nb\n```'],
  [
    'code whose style keeps its lines becomes a block',
    '<code style="white-space:pre">a\n  b</code>',
    '```\na\n  b\n```',
  ],
  ['code of a list item', '<ul><li><code>a<br>b</code></ul>', '- ```\n  a\n  b\n  ```'],
  [
    'code in a sentence, a heading, a link or a cell stays in its line',
    '<p>Use <code>a<br>b</code> now.<p><code>a\nb</code><h2><code>a<br>b</code></h2><p><a href=x><code>a<br>b</code></a>',
    'Use `a b` now.\n\n`a b`\n\n## `a b`\n\n[`a b`](x)',
  ],
  [
    'a label and a control in pre are left out, and the label names the language',
    '<pre><div><span>python</span><span class=copy>Copy code</span></div><code>x\ny</code></pre><pre><div>Bash<button>Copier</button></div><div><code>ls</code></div></pre>',
    '```python\nx\ny\n```\n\n```bash\nls\n```',
  ],
  ['other text beside code in pre stays', '<pre>see <code>x</code> and\n<b>y</b></pre>', '```\nsee x and\ny\n```'],
  [
    'a toolbar beside pre is left out',
    '<div class=code-toolbar><pre class=language-css>a{}</pre><div class=toolbar><div><button>Kopieren</button></div><span>CSS</span></div></div>',
    '```css\na{}\n```',
  ],
  [
    'a header above pre names the language',
    '<div class=code-block><div class=code-header><span>Rust</span><button>Copy</button></div><pre><code>fn</code></pre></div>',
    '```rust\nfn\n```',
  ],
  [
    'a title above pre that is no language stays',
    '<div class=code-block><div class=title>src/app.js is new</div><pre>a</pre></div>',
    'src/app.js is new\n\n```\na\n```',
  ],
  [
    'a picture beside pre stays',
    '<div class=highlight><img src=a.png alt=a><pre>b</pre></div>',
    '![a](a.png)\n\n```\nb\n```',
  ],
  [
    'a table of SyntaxHighlighter',
    '<div class="syntaxhighlighter js"><table><tr><td class=gutter><div class="line number1">1</div><div class="line number2">2</div><td class=code><div class=container><div class="line number1"><code>var</code> <code>a;</code></div><div class="line number2"><code>&nbsp;&nbsp;</code><code>b();</code></div></div></table></div>',
    '```js\nvar a;\n  b();\n```',
  ],
  [
    'a table of Crayon',
    '<div class=crayon-syntax><table class=crayon-table><tr><td class=crayon-nums><div class=crayon-nums-content><div class=crayon-num>1</div><div class=crayon-num>2</div></div><td class=crayon-code><div class=crayon-pre><div class=crayon-line><span>a</span> = 1</div><div class=crayon-line>b()</div></div></table></div>',
    '```\na = 1\nb()\n```',
  ],
  [
    'one element for each line',
    '<div class=highlight><div class=line>a</div><div class=line>  b</div></div>',
    '```\na\n  b\n```',
  ],
  [
    'spans for lines in pre',
    '<pre><span class=line>a</span><span class=line>b</span>\n<span class=line>c</span></pre>',
    '```\na\nb\nc\n```',
  ],
  [
    'lines that an editor copied',
    '<div style="font-family: Menlo, monospace; white-space: pre"><div><span>a</span></div><div>b</div></div>',
    '```\na\nb\n```',
  ],
  [
    'paragraphs with the class of a highlighter stay',
    '<p class=highlight>a<br>b</p><div class=highlight><p>c</div>',
    'a\\\nb\n\nc',
  ],
  [
    'a button that opens something stays',
    '<pre>a</pre><button aria-expanded=false>How?</button>',
    '```\na\n```\n\nHow?',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));
