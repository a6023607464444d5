import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  ['the language of <pre><code class="language-js">', '<pre><code class="language-js">x</code></pre>', '```js\nx\n```'],
  [
    'the language of <pre><code class="lang-py hljs">',
    '<pre><code class="lang-py hljs">x</code></pre>',
    '```py\nx\n```',
  ],
  [
    'the language of <pre class="brush: ruby; gutter: true">',
    '<pre class="brush: ruby; gutter: true">x</pre>',
    '```ruby\nx\n```',
  ],
  [
    'the language of <div class="highlight highlight-source-shell"><pre>',
    '<div class="highlight highlight-source-shell"><pre>x</pre>',
    '```shell\nx\n```',
  ],
  [
    'the language of <div class="highlight-python3 notranslate"><div class=highlight><pre>',
    '<div class="highlight-python3 notranslate"><div class=highlight><pre>x</pre>',
    '```python3\nx\n```',
  ],
  ['the language of <pre data-lang=go>', '<pre data-lang=go>x</pre>', '```go\nx\n```'],
  ['the language of <pre data-language=sql>', '<pre data-language=sql>x</pre>', '```sql\nx\n```'],
  ['the language of <pre class="sourceCode haskell">', '<pre class="sourceCode haskell">x</pre>', '```haskell\nx\n```'],
  ['the language of <pre class="prettyprint lang-c">', '<pre class="prettyprint lang-c">x</pre>', '```c\nx\n```'],
  ['the language of <pre><code class="hljs rust">', '<pre><code class="hljs rust">x</code></pre>', '```rust\nx\n```'],
  [
    'the language of <pre><code class="hljs language-c++">',
    '<pre><code class="hljs language-c++">x</code></pre>',
    '```c++\nx\n```',
  ],
  [
    'the language of <pre class="src src-emacs-lisp">',
    '<pre class="src src-emacs-lisp">x</pre>',
    '```emacs-lisp\nx\n```',
  ],
  ['the language of <pre lang=rust>', '<pre lang=rust>x</pre>', '```rust\nx\n```'],
  ['the language of <pre lang=en>', '<pre lang=en>x</pre>', '```\nx\n```'],
  ['the language of <pre class=highlight>', '<pre class=highlight>x</pre>', '```\nx\n```'],
  [
    'the language of <pre><code class="language-none">',
    '<pre><code class="language-none">x</code></pre>',
    '```\nx\n```',
  ],
  ['the language of <pre class=wp-block-code><code>', '<pre class=wp-block-code><code>x</code></pre>', '```\nx\n```'],
  ['the language of <pre class="language-a`b">', '<pre class="language-a`b">x</pre>', '```\nx\n```'],
  ['line breaks in pre become lines', '<pre>a<br>b</pre>', '```\na\nb\n```'],
  ['blocks in pre become lines', '<pre><div>a</div><div>b<div>c</div></div>d</pre>', '```\na\nb\nc\nd\n```'],
  ['empty lines and indentation in pre stay', '<pre>a\n\n\n  b\n</pre>', '```\na\n\n\n  b\n```'],
  ['a fence is longer than the fences in its code', '<pre>```\na\n````</pre>', '`````\n```\na\n````\n`````'],
  [
    'line numbers in a column next to the code are dropped',
    '<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre><td class=code><div class=highlight><pre>a\nb</pre></div></table>',
    '```\na\nb\n```',
  ],
  [
    'line numbers within the code are dropped',
    '<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>',
    '```\na\nb\n```',
  ],
  [
    'a table of line numbers and code within pre becomes its code',
    '<pre><code class=hljs><table class=hljs-ln><tr><td class=hljs-ln-numbers>1<td class=hljs-ln-code>a</tr>\n<tr><td class=hljs-ln-numbers>2<td class=hljs-ln-code>b</table></code></pre>',
    '```\na\nb\n```',
  ],
  [
    'a table with one line of code per row becomes code',
    '<table class="highlight tab-size"><tr><td class=blob-num data-line-number=1><td class=blob-code>let a\n<tr><td class=blob-num><td class=blob-code>let b</table>',
    '```\nlet a\nlet b\n```',
  ],
  [
    'a block that only has line numbers is dropped',
    '<pre><span class=lnt>1\n</span><span class=lnt>2\n</span></pre><pre>a</pre>',
    '```\na\n```',
  ],
  ['a list of lines in pre stays', '<pre><ol class=linenums><li>a<li>b</ol></pre>', '```\na\nb\n```'],
  ['inline code', '<p>a <code>b</code> <kbd>c</kbd> <samp>d</samp> <tt>e</tt>', 'a `b` `c` `d` `e`'],
  ['backticks in inline code', '<p><code>a`b</code> <code>`</code> <code>``a</code>', '``a`b`` `` ` `` ``` ``a ```'],
  ['adjacent spans of code are joined', '<p><code>a</code><code>`b</code> <b><code>c</code></b>d', '``a`b`` `c`d'],
  ['code without text becomes a space', '<p>a<code> </code>b', 'a b'],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));
