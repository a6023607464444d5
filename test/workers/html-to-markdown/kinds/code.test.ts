import { type Case, guide, testCases } from './kinds.ts';

const CASES: readonly Case[] = [
  [
    'code in div elements with line breaks in a Russian page is a block',
    guide('<p>Наберите:</p><div><code>порт открыть<br>порт закрыть</code></div>', 'ru'),
    { has: ['порт открыть\nпорт закрыть'] },
  ],
  [
    'the head of a chat answer is not code',
    '<pre class="overflow-visible"><div class="rounded"><div class="flex items-center"><span>bash</span><button>Copy code</button></div><div class="p-4"><code class="language-bash">ls -l\ncat tides.txt\n</code></div></div></pre>',
    { has: ['```bash\nls -l\ncat tides.txt\n```'], not: ['Copy code', 'bashls', '\nbash\n'] },
  ],
  [
    'the label and the button of a VitePress block are left out',
    guide(
      '<div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki"><code><span class="line"><span>const depth = 9</span></span>\n<span class="line"><span>sail(depth)</span></span></code></pre></div>',
    ),
    { has: ['```ts\nconst depth = 9\nsail(depth)\n```'], not: ['\nts\n'] },
  ],
  [
    'the German label and copy link in a block are left out',
    '<pre><span class="code-label">python</span><span class="copy-btn">Kopieren</span><code class="language-python">print("Kelm")\n</code></pre>',
    { has: ['```python\nprint("Kelm")\n```'], not: ['Kopieren'] },
  ],
  [
    'the numbers of Prism in a block are left out',
    '<pre class="line-numbers language-css"><code class="language-css">a { color: red }\nb { top: 0 }<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span></span></code></pre>',
    { has: ['```css\na { color: red }\nb { top: 0 }\n```'] },
  ],
  [
    'code that names the copy command stays',
    '<pre><code class="language-dockerfile">COPY . /app\nRUN echo "Copy code"\n</code></pre>',
    { has: ['```dockerfile\nCOPY . /app\nRUN echo "Copy code"\n```'] },
  ],
  [
    'lines that were removed and added in a pre element have signs',
    '<pre><code class="language-js"><del>let tide = 3;</del>\n<ins>let tide = 4;</ins>\nsail(tide);</code></pre>',
    { has: ['```js\n- let tide = 3;\n+ let tide = 4;\nsail(tide);\n```'] },
  ],
  [
    'lines of Expressive Code have signs',
    '<pre><code><div class="ec-line del"><div class="code">reef(1);</div></div><div class="ec-line ins"><div class="code">reef(2);</div></div><div class="ec-line"><div class="code">tack();</div></div></code></pre>',
    { has: ['- reef(1);\n+ reef(2);\ntack();'] },
  ],
  [
    'lines of Docusaurus have signs',
    '<pre><code><span class="token-line code-block-diff-remove-line">low()<br></span><span class="token-line code-block-diff-add-line">high()<br></span></code></pre>',
    { has: ['- low()\n+ high()'] },
  ],
  [
    'a line that changed in part is written twice',
    '<pre>moor(<del>3</del><ins>9</ins>, "quay");\nrest();</pre>',
    { has: ['- moor(3, "quay");\n+ moor(9, "quay");\nrest();'] },
  ],
  [
    'lines that have signs get no others',
    '<pre><code class="language-diff"><span class="line diff remove">-low()</span>\n<span class="line diff add">+high()</span></code></pre>',
    { has: ['```diff\n-low()\n+high()\n```'] },
  ],
  [
    'removed words outside code stay struck',
    '<p>Open <del>May</del> <ins>June</ins></p>',
    { has: ['Open ~~May~~ June'] },
  ],
  [
    'code of Doxygen with links and numbers is a block',
    '<div class="fragment"><div class="line"><a id="l1" name="l1"></a><span class="lineno">    1</span><span class="preprocessor">#include &lt;tide.h&gt;</span></div><div class="line"><span class="lineno">    2</span> </div><div class="line"><span class="lineno">    3</span>  <a href="t.html">Tide</a> t;</div></div>',
    { has: ['```\n#include <tide.h>\n \n  Tide t;\n```'] },
  ],
  [
    'two lines of Doxygen in a list item are a block',
    '<ul><li>Call it:<div class="fragment"><div class="line">moor();</div><div class="line">rest();</div></div></li></ul>',
    { has: ['moor();\n  rest();'] },
  ],
  [
    'code of Doxygen in an article is a block',
    guide(
      '<div class="fragment"><div class="line">boat.<span class="keyword">moor</span>(3);</div><div class="line">boat.rest();</div></div><!-- fragment -->',
    ),
    { has: ['```\nboat.moor(3);\nboat.rest();\n```'] },
  ],
  [
    'code of Confluence names its language',
    '<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="gutter: true; brush: java; theme: Eclipse">moor();\nrest();</pre>',
    { has: ['```java\nmoor();'] },
  ],
];

testCases(CASES);
