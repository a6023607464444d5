import test from 'ava';
import { html, Parser } from 'parse5';
import { ConversionError } from '../../../../workers/html-to-markdown/parse/conversion-error.ts';
import type { TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';
import { CountingTreeAdapter, type TreeAdapterMap } from '../../../../workers/html-to-markdown/parse/tree-adapter.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';

const { NS } = html;

function element(adapter: CountingTreeAdapter, name: string): TreeNode {
  return adapter.createElement(name, NS.HTML, []);
}

function depthOf(root: TreeNode): number {
  let deepest = 0;
  for (const node of root.descendants()) {
    let depth = 0;
    for (let at: TreeNode | null = node; at !== null && at !== root; at = at.parentNode) depth += 1;
    if (node.nodeType === 1) deepest = Math.max(deepest, depth);
  }
  return deepest;
}

test('adjacent texts become one', (t) => {
  const adapter = new CountingTreeAdapter();
  const parent = element(adapter, 'p');
  adapter.insertText(parent, 'a');
  adapter.insertText(parent, 'b');
  const child = element(adapter, 'b');
  adapter.appendChild(parent, child);
  adapter.insertTextBefore(parent, 'c', child);
  adapter.insertText(parent, 'd');
  t.deepEqual(
    parent.childNodes.map((node) => (node === child ? node.tagName : node.data)),
    ['abc', 'b', 'd'],
  );
});

test('comments and doctypes are not kept', (t) => {
  const adapter = new CountingTreeAdapter();
  const document = adapter.createDocument();
  const last = element(adapter, 'p');
  adapter.appendChild(document, adapter.createCommentNode('x'));
  adapter.setDocumentType(document, 'html', '', '');
  adapter.appendChild(document, last);
  adapter.insertBefore(document, adapter.createCommentNode('y'), last);
  t.deepEqual(document.childNodes, [last]);
});

test('all elements of the document are counted', (t) => {
  const adapter = new CountingTreeAdapter();
  for (let count = 0; count < 100_000; count += 1) element(adapter, 'b');
  const error = t.throws(() => element(adapter, 'b'), { instanceOf: ConversionError });
  t.is(error?.code, 'DOCUMENT_TOO_COMPLEX');
});

test('the mode of the document is kept', (t) => {
  const adapter = new CountingTreeAdapter();
  const document = adapter.createDocument();
  adapter.setDocumentMode(document, html.DOCUMENT_MODE.QUIRKS);
  t.is(adapter.getDocumentMode(document), html.DOCUMENT_MODE.QUIRKS);
});

test('the content of a template is not among its children', (t) => {
  const document = Parser.parse<TreeAdapterMap>('<template><p>x</template>', {
    treeAdapter: new CountingTreeAdapter(),
  });
  const [template] = document.getElementsByTagName('TEMPLATE');
  t.is(template?.firstChild, null);
  t.is(template?.content?.firstChild?.nodeName, 'P');
});

test('no element is deeper than the reported depth, even after moves', (t) => {
  const pieces = ['<b>', '</b>', '<a>', '</a>', '<i>', '</i>', '<p>', '</p>', '<div>', '</div>', '<table>', '<td>'];
  const source = fc.array(fc.constantFrom(...pieces, '</table>', '<form>', '</form>', '<ul><li>', '</ul>', 'x'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(source, (parts) => {
      const treeAdapter = new CountingTreeAdapter();
      const document = Parser.parse<TreeAdapterMap>(parts.join(''), { treeAdapter });
      return depthOf(document) <= treeAdapter.maxDepth;
    }),
    { numRuns: runs(3000) },
  );
  t.pass();
});
